// What scrolls in itself is reached by the keyboard too.
function focusable() {
  for (const element of document.querySelectorAll("article pre, .table-wrapper")) {
    if (element.scrollWidth > element.clientWidth) element.tabIndex = 0;
    else element.removeAttribute("tabindex");
  }
}

// What the theme leaves without a name or a level, for readers who hear the page.
function named() {
  document.querySelector(".sidebar-drawer")?.setAttribute("aria-label", "Pages of the manual");
  document.querySelector(".toc-drawer")?.setAttribute("aria-label", "On this page");
  for (const caption of document.querySelectorAll('.caption[role="heading"]')) caption.setAttribute("aria-level", "2");
  const article = document.querySelector("article");
  if (article && !document.querySelector("h1")) article.prepend(Object.assign(document.createElement("h1"), { textContent: "Search" }));
}

// A picture that is shown smaller than it is leads to itself, where its letters can be read.
function enlarged() {
  for (const image of document.querySelectorAll("article img")) {
    if (image.closest("a") || image.naturalWidth <= 1.3 * image.clientWidth) continue;
    const link = Object.assign(document.createElement("a"), { href: image.src, title: "The whole picture" });
    image.replaceWith(link);
    link.append(image);
  }
}

addEventListener("load", enlarged);
addEventListener("load", focusable);
addEventListener("load", named);
addEventListener("resize", focusable);
