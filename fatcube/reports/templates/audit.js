"use strict";
const list = document.getElementById("claims");
const claims = [...list.querySelectorAll("details")];
const filter = document.getElementById("filter");
const order = document.getElementById("order");
const kinds = [...document.querySelectorAll("#controls input")];

function show() {
  const wanted = filter.value.toLowerCase();
  const shown = new Set(kinds.filter(kind => kind.checked).map(kind => kind.value));
  for (const claim of claims) {
    claim.classList.toggle("hidden", !shown.has(claim.classList[0]) || !claim.textContent.toLowerCase().includes(wanted));
  }
  const left = claims.filter(claim => !claim.classList.contains("hidden")).length;
  document.getElementById("count").textContent = `${left} of ${claims.length} claims`;
}

function sort() {
  const key = order.value;
  list.append(...claims.sort((one, other) => one.dataset[key] - other.dataset[key]));
}

// A link to a claim opens it.
function unfold() {
  const claim = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (claim instanceof HTMLDetailsElement) claim.open = true;
}

filter.addEventListener("input", show);
order.addEventListener("change", sort);
for (const kind of kinds) kind.addEventListener("change", show);
addEventListener("hashchange", unfold);
show();
unfold();
