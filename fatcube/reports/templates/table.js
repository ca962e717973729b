"use strict";
// ---- Tables of results: sorted, filtered, unfolded, downloaded.

{
  const MOST = 100;  // rows that are shown before the reader asks for all
  const make = (tag, text = "") => Object.assign(document.createElement(tag), { textContent: text });
  const collator = new Intl.Collator("en", { numeric: true });
  const empty = text => text === "" || text === "-";
  const titles = table => [...table.querySelectorAll("thead [data-column]")].map(one => one.dataset.column);
  const keys = table => [...table.querySelectorAll("thead [data-column]")].map(one => one.dataset.key ?? one.dataset.column);
  const shift = table => table.querySelector("thead .opens") ? 1 : 0;
  const title = document.querySelector("h1").textContent;
  const slug = text => text.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 60);

  // The value of a cell: a number in a column of numbers, and else its text.
  function valueOf(cell) {
    const given = cell.dataset.value ?? cell.textContent.trim();
    if (empty(given)) return null;
    const number = Number(given.replaceAll(",", ""));
    return cell.classList.contains("number") && !Number.isNaN(number) ? number : given;
  }

  function compare(a, b) {
    if (typeof a === "number" && typeof b === "number") return a - b;
    return collator.compare(a, b);
  }

  // Records are stored with what they share stored once.
  function unshared({ shared, rows }) {
    const open = value => Array.isArray(value) ? value.map(open)
      : value && typeof value === "object"
        ? "$" in value ? open(shared[value.$]) : Object.fromEntries(Object.entries(value).map(([key, one]) => [key, open(one)]))
        : value;
    return rows.map(open);
  }

  for (const table of document.querySelectorAll("table.results")) {
    const number = table.id.replace("table-", ""), body = table.tBodies[0], columns = titles(table), names = keys(table), from = shift(table);
    const controls = document.getElementById(`controls-${number}`);
    const stored = document.getElementById(`records-${number}`);
    let records = null;
    const recordOf = index => stored && (records ??= unshared(JSON.parse(stored.textContent)))[index];
    const rows = [...body.rows].filter(row => row.className !== "more").map((row, index) => {
      const next = row.nextElementSibling;
      const more = next?.className === "more" ? next : null;
      // As a reader types it: what is shown, and what a cell is where that is shown otherwise.
      const given = [...row.cells].map(one => one.dataset.value ?? "").join(" ");
      const text = `${row.textContent}${more?.textContent ?? ""} ${given}`.replaceAll("\u00a0", " ").toLowerCase();
      return { row, index, more, text, values: [...row.cells].slice(from).map(valueOf), given: more !== null };
    });
    const order = [...rows];
    let limit = MOST, matching = rows;
    const search = controls.querySelector("input"), count = controls.querySelector("output");
    const selects = [...controls.querySelectorAll("select")];
    const everything = make("button", "Show all rows");
    everything.type = "button";
    everything.addEventListener("click", () => { limit = Infinity; show(); });
    count.after(everything);

    function show() {
      const wanted = search.value.trim().toLowerCase();
      matching = order.filter(({ text, values }) => text.includes(wanted) && selects.every(one =>
        one.value === "" || String(values[Number(one.dataset.column)]) === one.value));
      const shown = new Set(matching.slice(0, limit));
      for (const one of order) {
        one.row.hidden = !shown.has(one);
        if (one.more) one.more.hidden = one.row.hidden || !opened(one);
      }
      const most = matching.length > shown.size ? `, the first ${shown.size} are shown` : "";
      count.textContent = `${matching.length} of ${rows.length} rows${most}`;
      everything.hidden = !most;
      everything.textContent = `Show all ${matching.length} rows`;
      if (number === "0") document.dispatchEvent(new CustomEvent("rows", { detail: new Set(matching.map(one => one.index)) }));
    }

    const opened = ({ row }) => row.querySelector(".unfold")?.getAttribute("aria-expanded") === "true";

    // What a row unfolds to: its cells by their columns, and its record if it has one.
    function unfold(one, open) {
      const button = one.row.querySelector(".unfold");
      if (!button || opened(one) === open) return;
      button.setAttribute("aria-expanded", open);
      if (!one.given && open) {
        one.more = make("tr");
        one.more.className = "more";
        const cell = make("td"), list = make("dl");
        cell.colSpan = columns.length + from;
        [...one.row.cells].slice(from).forEach((from_, column) => {
          if (!empty(from_.textContent.trim())) list.append(make("dt", columns[column]), make("dd", from_.textContent));
        });
        const record = recordOf(one.index);
        if (record) {
          const pre = make("pre", JSON.stringify(record, null, 1)), place = make("dd");
          Object.assign(pre, { tabIndex: 0 });
          pre.setAttribute("role", "region");
          pre.setAttribute("aria-label", `Record of row ${one.index + 1}`);
          place.append(pre);
          list.append(make("dt", "record"), place);
        }
        cell.append(list);
        one.more.append(cell);
      }
      if (open) one.row.after(one.more);
      one.more.hidden = !open;
      if (!one.given && !open) { one.more.remove(); one.more = null; }
    }

    for (const one of rows) {
      one.row.querySelector(".unfold")?.addEventListener("click", () => unfold(one, !opened(one)));
    }
    // A link to a row opens it.
    const follow = () => {
      const one = rows.find(({ row }) => row.id && row.id === decodeURIComponent(location.hash.slice(1)));
      if (!one) return;
      if (one.row.hidden) { limit = Infinity; show(); }
      unfold(one, true);
      one.row.scrollIntoView({ block: "center" });
    };
    addEventListener("hashchange", follow);

    table.querySelectorAll("thead .sort").forEach((button, column) => button.addEventListener("click", () => {
      const head = button.closest("th"), up = head.getAttribute("aria-sort") !== "ascending";
      for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      order.sort((one, other) => {
        const [a, b] = [one.values[column], other.values[column]];
        if (a === null || b === null) return (a === null) - (b === null) || one.index - other.index;
        return (up ? 1 : -1) * compare(a, b) || one.index - other.index;
      });
      body.append(...order.flatMap(({ row, more }) => more ? [row, more] : [row]));
      show();
    }));

    const quoted = value => value === null ? "" : /[",\r\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : String(value);
    const texts = {
      csv: () => [names, ...matching.map(({ values }) => values)].map(line => line.map(quoted).join(",") + "\r\n").join(""),
      json: () => JSON.stringify(matching.map(({ values, index }) => ({
        ...Object.fromEntries(names.map((name, column) => [name, values[column]])),
        ...(stored && { record: recordOf(index) }),
      })), null, 1) + "\n",
    };
    function download(kind, type) {
      const link = make("a");
      link.href = URL.createObjectURL(new Blob([texts[kind]()], { type }));
      link.download = `${slug(columns.length && table.dataset.name || title) || "table"}.${kind}`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    }
    const button = name => controls.querySelector(`[data-do=${name}]`);
    button("csv").addEventListener("click", () => download("csv", "text/csv"));
    button("json").addEventListener("click", () => download("json", "application/json"));
    button("all").hidden = from === 0 || rows.length > 500;
    button("all").addEventListener("click", () => {
      const some = matching.slice(0, limit), open = !some.every(opened);
      for (const one of some) unfold(one, open);
      button("all").textContent = open ? "Fold all" : "Unfold all";
    });

    for (const one of selects) {
      const column = Number(one.dataset.column);
      const texts = new Map(rows.map(({ row, values }) => [values[column], row.cells[column + from].textContent.trim()]));
      const values = [...texts.keys()].filter(value => value !== null).sort(compare);
      one.append(new Option("all", ""), ...values.map(value => new Option(texts.get(value), value)));
      one.addEventListener("change", show);
    }
    search.addEventListener("input", show);
    // On paper there is nothing to ask for more with.
    addEventListener("beforeprint", () => { limit = Infinity; show(); });
    controls.hidden = false;
    if (rows.length < 4) for (const one of [search.parentNode, ...selects.map(one => one.parentNode)]) one.hidden = true;
    show();
    follow();
  }
}
