// Makes elements. Every text becomes a text node: nothing that comes from a file is ever read as HTML (and the page's policy,
// require-trusted-types-for, would refuse it).

const SVG = "http://www.w3.org/2000/svg";

const add = (element, children) => {
  element.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
  return element;
};

const fill = (element, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  return add(element, children);
};

export const h = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
export const svg = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

// A name out of a file: on its own, whichever way it is written
export const name = (text) => h("bdi", {}, text);

// <details> whose content is made when it is first opened. The browser tells of an opening later ("toggle"): the page itself opens
// with show(), so that what it then scrolls to is there.
export function lazy(attributes, summary, make) {
  const element = h("details", attributes, h("summary", {}, summary));
  let made = false;
  const fillIn = () => {
    if (!made) add(element, [make()]);
    made = true;
  };
  element.show = () => { element.open = true; fillIn(); };
  element.addEventListener("toggle", () => { if (element.open) fillIn(); });
  if (attributes.open) fillIn();
  return element;
}
