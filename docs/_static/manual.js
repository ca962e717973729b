// What scrolls in itself is reached by the keyboard too.
function focusable() {
  for (const element of document.querySelectorAll("article pre, .table-wrapper")) {
    if (element.scrollWidth > element.clientWidth) element.tabIndex = 0;
    else element.removeAttribute("tabindex");
  }
}
addEventListener("load", focusable);
addEventListener("resize", focusable);
