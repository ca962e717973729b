"use strict";
const rows = [...document.querySelectorAll("tbody tr")];
const filter = document.getElementById("filter");

function show() {
  const wanted = filter.value.toLowerCase();
  for (const row of rows) row.classList.toggle("hidden", !row.textContent.toLowerCase().includes(wanted));
  const shown = rows.filter(row => !row.classList.contains("hidden")).length;
  document.getElementById("count").textContent = `${shown} of ${rows.length} rows`;
}

filter.addEventListener("input", show);
show();
if (document.getElementById("figure-data")) drawFigures();
