"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const filters = ["processors", "model", "collective", "payload_flits"];
const columns = Object.keys(data.rows[0]);
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

function pointsOf(figure, rows) {
  const points = rows.filter(row => row[figure.x] !== null && row[figure.y] !== null);
  if (!figure.routers) return points;
  const one = new Map(points.map(row => [[row.network, row.model, row.width, row.buffer_depth].join(), row]));
  return [...one.values()];
}

// For each size, collective, payload and width what nothing beats, from left to right.
function fronts(figure, points) {
  const groups = new Map();
  for (const row of points) {
    const key = [row.processors, row.collective, row.payload_flits, row.width].join();
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const x = [], y = [];
  for (const group of groups.values()) {
    let best = Infinity;
    for (const row of group.sort((a, b) => compare(a[figure.x], b[figure.x]) || compare(a[figure.y], b[figure.y]))) {
      if (row[figure.y] >= best) continue;
      best = row[figure.y];
      x.push(row[figure.x]);
      y.push(best);
    }
    x.push(null);
    y.push(null);
  }
  return { x, y };
}

function traces(figure, rows) {
  const points = pointsOf(figure, rows);
  const line = { mode: "lines", hoverinfo: "skip", line: { color: "#999999", width: 1 } };
  const found = [];
  if (figure.front) found.push({ ...line, ...fronts(figure, points), name: "nothing beats" });
  if (figure.diagonal && points.length) {
    const ends = [Math.min, Math.max].map(of => of(...points.map(row => row[figure.x])));
    found.push({ ...line, x: ends, y: ends, name: "the bound" });
  }
  for (const [model, color] of Object.entries(data.colours)) {
    const mine = points.filter(row => row.model === model);
    found.push({
      mode: "markers", name: `model ${model}`, marker: { color, size: 8, opacity: 0.75 },
      x: mine.map(row => row[figure.x]), y: mine.map(row => row[figure.y]),
      text: mine.map(row => `${row.network}, model ${row.model}, W = ${row.width}, D = ${row.buffer_depth}` +
        (figure.routers ? "" : `<br>${row.collective}, ${row.payload_flits} flits`) + `<br>record ${row.record}`),
      hovertemplate: `%{text}<br>${figure.x_title}: %{x}<br>${figure.y_title}: %{y}<extra></extra>`,
      ...(figure.low && { error_y: {
        type: "data", symmetric: false, thickness: 1, color,
        array: mine.map(row => row[figure.high] - row[figure.y]),
        arrayminus: mine.map(row => row[figure.y] - row[figure.low]) } }),
    });
  }
  return found;
}

function draw(rows) {
  for (const figure of data.figures) {
    const type = figure.log ? "log" : "linear";
    Plotly.react(`figure-${figure.name}`, traces(figure, rows), {
      title: { text: figure.title, font: { size: 15 } }, margin: { l: 70, r: 15, t: 40, b: 50 },
      xaxis: { title: { text: figure.x_title }, type }, yaxis: { title: { text: figure.y_title }, type },
      legend: { orientation: "h", y: -0.2 },
    }, { responsive: true, displaylogo: false });
  }
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
      const record = document.createElement("tr"), cell = document.createElement("td"), pre = document.createElement("pre");
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
  draw(rows);
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
document.querySelector("#table thead tr").append(...columns.map(name => {
  const head = document.createElement("th");
  head.textContent = name;
  head.scope = "col";
  head.tabIndex = 0;
  const sort = () => {
    sorted = { column: name, up: sorted.column === name ? !sorted.up : true };
    for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", sorted.up ? "ascending" : "descending");
    show();
  };
  head.addEventListener("click", sort);
  head.addEventListener("keydown", event => { if (event.key === "Enter") sort(); });
  return head;
}));
document.getElementById("download").addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([csv(shownRows())], { type: "text/csv" }));
  link.download = "fatcube.csv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
});
document.getElementById("figures").append(...data.figures.map(figure => {
  const place = document.createElement("div");
  place.id = `figure-${figure.name}`;
  place.className = "figure";
  return place;
}));
show();
