// ---- The panels beside the drawing.

const element = (tag, text = "", className = "") =>
  Object.assign(document.createElement(tag), {textContent: text, className});

function chip(one, {count = null, fresh = false} = {}) {
  const text = one.partial && count !== null ? `${name(one)}: ${count} of ${sources.length}` : name(one);
  const made = element("span", text, fresh ? "chip new" : "chip");
  made.style.background = colour(keyOf(one));
  made.dataset.message = `[${one.origin}, ${one.destination}${one.part ? `, ${one.part}` : ""}]`;
  if (count !== null) made.dataset.count = count;
  return made;
}

function fillTable(transfers) {
  const body = document.querySelector("#transfers tbody");
  body.replaceChildren(...transfers.map(one => {
    const row = element("tr", "", one.message === chosen ? "chosen" : "");
    const nodes = one.path.length ? one.path.map(([node]) => node) : one.lane === null ? [] : [nodeOf(one.dst)];
    const link = nodes.length ? [nodeOf(one.src), ...nodes].join("→") : "inside";
    const lanes = one.path.length ? one.path.map(([, lane]) => lane).join(", ") : one.lane ?? "";
    const cells = ["", `P${one.src}`, `P${one.dst}`, link, lanes].map(text => element("td", text));
    cells[0].append(chip(one.message));
    row.append(...cells);
    row.addEventListener("click", () => follow(one.message));
    return row;
  }));
}

function showProcessor() {
  const processor = hovered ?? pinned ?? 0;
  find("processor").value = processor;
  const list = (title, chips) => {
    const all = element("dd");
    all.append(...(chips.length ? chips : [element("span", "nothing")]));
    return [element("dt", title), all];
  };
  const withEnd = (one, end, word) => {
    const all = element("span", ` ${word} P${end}`);
    all.prepend(chip(one.message));
    return all;
  };
  const when = now ? ` in step ${now}` : "";
  const order = [...held[processor]].map(([number, count]) => [messages[number], count])
    .sort(([a], [b]) => (a.origin ?? -1) - (b.origin ?? -1) || (a.destination ?? -1) - (b.destination ?? -1) ||
                        a.part - b.part);
  find("detail").replaceChildren(
    ...list(`sends${when}`, sent[processor].map(one => withEnd(one, one.dst, "to"))),
    ...list(`receives${when}`, received[processor].map(one => withEnd(one, one.src, "from"))),
    ...list(`holds ${now ? `after step ${now}` : "at the start"} (${order.length}; ` +
            `${progress(processor)} of the ${finals[processor]} that it needs)`,
            order.map(([one, count]) => chip(one, {count, fresh: arrivals[processor].has(one.number)}))));
}

function showFollowed() {
  trailLayer.replaceChildren();
  svg.classList.toggle("following", chosen !== null);
  find("way").replaceChildren();
  if (chosen === null) {
    find("followed").textContent = "Choose one here, or click an arrow or a row.";
    return;
  }
  const holders = everybody.filter(processor => held[processor].has(chosen.number));
  const listed = holders.length > 12 ? "" : `: ${holders.map(processor => `P${processor}`).join(", ")}`;
  find("followed").textContent = !holders.length ? "It is not complete yet."
    : `${chosen.partial ? "Parts are" : "It is"} on ${many(holders.length, "processor")}${listed}.`;
  schedule.forEach((transfers, index) => {
    const mine = transfers.filter(one => one.message === chosen);
    if (!mine.length) return;
    for (const one of index + 1 < now ? mine : [])
      make("path", {class: "trail", d: at(way(one, 0).points), "stroke-width": stroke}, trailLayer);
    const item = element("li", "", index + 1 === now ? "now" : index + 1 > now ? "later" : "");
    item.append(element("b", `step ${index + 1}: `), mine.map(({src, dst}) => `P${src}→P${dst}`).join(", "));
    find("way").append(item);
  });
}
