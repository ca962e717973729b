"use strict";
// ---- Light or dark: as the system has it, or as the reader chose.

{
  const chosen = document.getElementById("theme"), key = "fatcube-theme";
  const apply = () => {
    if (chosen.value) document.documentElement.dataset.theme = chosen.value;
    else delete document.documentElement.dataset.theme;
  };
  // Storage may be forbidden, as it is for files in some browsers.
  try { chosen.value = localStorage.getItem(key) ?? ""; } catch { chosen.value = ""; }
  apply();
  chosen.addEventListener("change", () => {
    apply();
    try { localStorage.setItem(key, chosen.value); } catch { /* The choice is then for this page only. */ }
  });
}

// ---- Terms: the text of the glossary beside the term while a reader points at it, or is on it with the keyboard.

{
  const bubble = document.createElement("div");
  Object.assign(bubble, { className: "bubble", id: "bubble", hidden: true });
  bubble.setAttribute("role", "tooltip");
  (document.querySelector("main") ?? document.body).append(bubble);
  let owner = null;

  const hide = () => {
    owner?.removeAttribute("aria-describedby");
    owner = null;
    bubble.hidden = true;
  };
  const show = term => {
    hide();
    const place = document.getElementById(term.hash.slice(1));
    if (!place) return;
    owner = term;
    term.setAttribute("aria-describedby", "bubble");
    bubble.textContent = `${place.textContent}: ${place.nextElementSibling.textContent}`;
    bubble.hidden = false;
    const box = term.getBoundingClientRect(), own = bubble.getBoundingClientRect();
    const below = box.bottom + 6 + own.height < innerHeight;
    bubble.style.left = `${Math.max(8, Math.min(box.left, document.documentElement.clientWidth - own.width - 8))}px`;
    bubble.style.top = `${below ? box.bottom + 6 : Math.max(8, box.top - own.height - 6)}px`;
  };
  for (const term of document.querySelectorAll("a.term")) {
    term.addEventListener("mouseenter", () => show(term));
    term.addEventListener("mouseleave", hide);
    term.addEventListener("focus", () => show(term));
    term.addEventListener("blur", hide);
    // The text is shown already, and the reader's place is kept.
    term.addEventListener("click", event => { event.preventDefault(); show(term); });
  }
  addEventListener("keydown", event => { if (event.key === "Escape") hide(); });
  addEventListener("scroll", hide, { passive: true, capture: true });
}
