"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const filters = ["processors", "model", "collective", "payload_flits"];
const columns = Object.keys(data.rows[0]);
const numbers = new Map(data.rows.map((row, number) => [row, number]));
let sorted = { column: null, up: true };

const compare = (a, b) => a === b ? 0 : a === null ? 1 : b === null ? -1 : a < b ? -1 : 1;
const select = name => document.getElementById(name);

// Those that the filters let through, in the order of the table.
function shownRows() {
  const rows = data.rows.filter(row => filters.every(name => {
    const wanted = select(name).value;
    return wanted === "" || String(row[name]) === wanted;
  }));
  if (sorted.column === null) return rows;
  return rows.sort((one, other) => {
    const [a, b] = [one[sorted.column], other[sorted.column]];
    return compare(a, b) * (sorted.up || a === null || b === null ? 1 : -1);
  });
}

const text = value => value === null ? "" : typeof value === "number" && !Number.isInteger(value)
  ? value.toFixed(2) : String(value);

function fill(rows) {
  const body = document.querySelector("#table tbody");
  body.replaceChildren(...rows.map(row => {
    const line = document.createElement("tr");
    line.tabIndex = 0;
    line.append(...columns.map(name => {
      const cell = document.createElement("td");
      cell.textContent = text(row[name]);
      return cell;
    }));
    const unfold = () => {
      if (line.nextSibling?.className === "record") return line.nextSibling.remove();
      const [record, cell, pre] = ["tr", "td", "pre"].map(tag => document.createElement(tag));
      record.className = "record";
      cell.colSpan = columns.length;
      pre.textContent = JSON.stringify(data.records[row.record], null, 1);
      cell.append(pre);
      record.append(cell);
      line.after(record);
    };
    line.addEventListener("click", unfold);
    line.addEventListener("keydown", event => { if (event.key === "Enter") unfold(); });
    return line;
  }));
}

function show() {
  const rows = shownRows();
  document.getElementById("count").textContent = `${rows.length} of ${data.rows.length} measurements`;
  drawFigures(new Set(rows.map(row => numbers.get(row))));
  fill(rows);
}

function csv(rows) {
  const quoted = value => value === null ? "" : `"${String(value).replaceAll('"', '""')}"`;
  return [columns, ...rows.map(row => columns.map(name => row[name]))]
    .map(line => line.map(quoted).join(",") + "\r\n").join("");
}

for (const name of filters) {
  const values = [...new Set(data.rows.map(row => row[name]))].filter(value => value !== null).sort(compare);
  select(name).append(new Option("all", ""), ...values.map(value => new Option(value, value)));
  select(name).addEventListener("change", show);
}
for (const [index, head] of document.querySelectorAll("#table th").entries()) {
  const name = columns[index];
  head.tabIndex = 0;
  const sort = () => {
    sorted = { column: name, up: sorted.column === name ? !sorted.up : true };
    for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", sorted.up ? "ascending" : "descending");
    show();
  };
  head.addEventListener("click", sort);
  head.addEventListener("keydown", event => { if (event.key === "Enter") sort(); });
}
document.getElementById("download").addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([csv(shownRows())], { type: "text/csv" }));
  link.download = "fatcube.csv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
});
show();
