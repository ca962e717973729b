// What a check of a page needs to know of it; it runs before any script of the page.
(() => {
  const clickable = new Set(), focused = [];
  const listen = EventTarget.prototype.addEventListener;
  EventTarget.prototype.addEventListener = function (type, ...rest) {
    if (["click", "dblclick", "mousedown", "pointerdown"].includes(type) && this instanceof Element) clickable.add(this);
    return listen.call(this, type, ...rest);
  };
  const FOCUSABLE = "a[href], area[href], button, input, select, textarea, summary, iframe, audio[controls], video[controls], "
    + "[contenteditable=''], [contenteditable=true], [tabindex]";
  const seen = one => one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length > 0 && !one.closest("[inert]");
  const reachable = one => one.matches(FOCUSABLE) && one.tabIndex >= 0 && !one.disabled && !one.closest("fieldset:disabled")
    && !(one.type === "radio" && !one.checked);
  const said = one => {
    const text = (one.getAttribute("aria-label") ?? one.textContent).trim().replace(/\s+/g, " ").slice(0, 40);
    return `<${one.tagName.toLowerCase()}${one.id ? ` id=${one.id}` : ""}>${text ? ` "${text}"` : ""}`;
  };

  // ---- The keyboard.

  const look = one => [one, ...[...one.querySelectorAll("*")].slice(0, 8)].map(part => {
    const style = getComputedStyle(part);
    return [style.outlineStyle === "none" ? "" : `${style.outlineStyle}${style.outlineWidth}${style.outlineColor}`, style.boxShadow,
            style.borderColor, style.backgroundColor, style.color, style.stroke, style.strokeWidth, style.fill, style.textDecoration].join();
  }).join(";");

  function wanted() {
    return [...document.querySelectorAll(FOCUSABLE)].filter(one => reachable(one) && seen(one));
  }

  let looks = new Map();
  function startTabs(most) {
    // Tab goes on from where the focus was last.
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute("tabindex");
    focused.length = 0;
    const all = wanted().slice(0, most);
    looks = new Map(all.map(one => [one, look(one)]));
    return all.length;
  }
  document.addEventListener("focusin", event => {
    const one = event.target;
    focused.push([one, !looks.has(one) || look(one) !== looks.get(one)]);
  }, true);
  function endTabs() {
    const reached = new Map(focused);
    const found = [];
    for (const one of looks.keys()) {
      if (!one.isConnected) continue;
      if (!reached.has(one)) found.push(`Tab does not reach ${said(one)}`);
      else if (!reached.get(one)) found.push(`no focus is seen on ${said(one)}`);
    }
    return found;
  }

  // What can be clicked can be reached, or names controls that do the same.
  function clicks() {
    for (const one of document.querySelectorAll("[onclick], [onmousedown], [ondblclick]")) clickable.add(one);
    const fine = one => one === document.body || one === document.documentElement || reachable(one) || one.closest("label, a[href], button, summary")
      || [...one.querySelectorAll(FOCUSABLE)].some(reachable) || one.disabled
      || (one.closest("[data-shortcuts]")?.dataset.shortcuts ?? "").split(" ").some(id => document.getElementById(id)?.matches(FOCUSABLE));
    return [...clickable].filter(one => one.isConnected && seen(one) && !fine(one)).slice(0, 5)
      .map(one => `a click on ${said(one)} does what no key does`);
  }

  // ---- Contrast, of HTML and of SVG, from the colours that are computed.

  const pen = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
  const colours = new Map();
  function rgba(colour) {
    if (!colours.has(colour)) {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = colour;
      pen.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
      colours.set(colour, [r, g, b, a / 255]);
    }
    return colours.get(colour);
  }
  const over = ([r, g, b, a], [R, G, B]) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a)];
  const faded = ([r, g, b, a], by) => [r, g, b, a * by];
  function luminance(colour) {
    const [r, g, b] = colour.map(one => one / 255).map(one => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }
  const ratio = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const opacity = one => { let all = 1; for (let part = one; part; part = part.parentElement) all *= Number(getComputedStyle(part).opacity); return all; };
  let backs = new Map();
  function background(one) {
    if (!one) return rgba(getComputedStyle(document.documentElement).colorScheme.trim() === "dark" ? "#121212" : "#ffffff").slice(0, 3);
    if (!backs.has(one)) backs.set(one, over(rgba(getComputedStyle(one).backgroundColor), background(one.parentElement)));
    return backs.get(one);
  }
  // What is painted below a text in its drawing.
  function painted(text) {
    const svg = text.ownerSVGElement, box = text.getBoundingClientRect();
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    let found = background(svg.parentElement);
    for (const shape of svg.querySelectorAll("rect, circle, ellipse, path, polygon")) {
      if (shape.closest("defs, pattern") || !(shape.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING)) continue;
      const bounds = shape.getBoundingClientRect(), style = getComputedStyle(shape);
      if (style.fill === "none" || style.fill.startsWith("url") || style.visibility !== "visible") continue;
      if (x < bounds.left || x > bounds.right || y < bounds.top || y > bounds.bottom) continue;
      const at = new DOMPoint(x, y).matrixTransform(shape.getScreenCTM().inverse());
      if (shape.isPointInFill(at)) found = over(faded(rgba(style.fill), opacity(shape) * Number(style.fillOpacity)), found);
    }
    return found;
  }
  function contrasts() {
    backs = new Map();
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const one = node.parentElement;
      if (!node.data.trim() || one.closest("script, style, noscript, option, svg title") || !seen(one) || one.disabled
          || one.closest(":disabled")) continue;
      const style = getComputedStyle(one), svg = one instanceof SVGElement;
      const size = Number.parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      const behind = svg ? painted(one) : background(one);
      const all = opacity(one);
      // What is faded out is not to be read: of a drawing, what is not followed.
      if (all < 0.3) continue;
      const front = over(faded(rgba(svg ? style.fill : style.color), all), behind);
      const is = ratio(front, behind);
      if (is < (large ? 3 : 4.5) - 0.05) found.push(`contrast ${is.toFixed(2)} of ${said(one)}`);
    }
    return [...new Set(found)].slice(0, 5);
  }

  // The controls in the head of a column stand within it.
  function collisions() {
    const out = (one, head) => { const [a, b] = [one.getBoundingClientRect(), head.getBoundingClientRect()]; return a.left < b.left - 1 || a.right > b.right + 1; };
    return [...document.querySelectorAll("thead th")].filter(head => seen(head) && [...head.querySelectorAll("button, a")].some(one => out(one, head)))
      .slice(0, 3).map(head => `the head ${said(head)} runs into the next one`);
  }

  // An option is read as one word: no line ends within it.
  function broken() {
    const found = [], place = document.createRange();
    for (const one of document.querySelectorAll("code:not(pre code)")) {
      const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode())
        for (const { index, 0: option } of node.data.matchAll(/(?<![^\s])--?[a-z][a-z-]{0,30}/g)) {
          place.setStart(node, index);
          place.setEnd(node, index + option.length);
          if (new Set([...place.getClientRects()].filter(box => box.width).map(box => Math.round(box.top))).size > 1) found.push(`a line ends within ${option}`);
        }
    }
    return [...new Set(found)].slice(0, 3);
  }

  function sideways() {
    const page = document.scrollingElement;
    if (page.scrollWidth <= page.clientWidth) return [];
    const wide = [...document.querySelectorAll("body *")].filter(one => seen(one) && one.getBoundingClientRect().right > page.clientWidth + 1
      && ![...one.children].some(child => child.getBoundingClientRect().right > page.clientWidth + 1));
    return [`the page scrolls sideways, ${page.scrollWidth} px for ${page.clientWidth}: ${wide.slice(0, 2).map(said).join(", ")}`];
  }

  // On paper nothing scrolls: what is wider than its place is cut.
  function cut() {
    const page = document.scrollingElement.clientWidth;
    const inner = [...document.querySelectorAll("body *")].filter(one => seen(one) && !(one instanceof SVGElement)
      && !one.matches(".unseen, input, select"));
    const hidden = inner.filter(one => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== "visible");
    const beyond = inner.filter(one => one.getBoundingClientRect().right > page + 1);
    return [...new Set([...hidden, ...beyond.slice(-1)])].slice(0, 5).map(one => `cut in print: ${said(one)}`);
  }

  window.pageChecks = { startTabs, endTabs, clicks, broken, collisions, contrasts, sideways, cut };
})();
