// As much of a document as drawing needs: elements with attributes, children and text, and nothing else.

class FakeElement {
  constructor(tag) {
    this.tag = tag;
    this.attributes = {};
    this.children = [];
    this.listeners = {};
    this.style = { setProperty: (name, value) => (this.attributes[name] = value) };
  }

  setAttribute(name, value) {
    this.attributes[name] = String(value);
  }

  append(...children) {
    this.children.push(...children);
  }

  addEventListener(kind, act) {
    this.listeners[kind] = act;
  }

  /** All elements below this one of a tag, in the order of the document. */
  all(tag) {
    const own = this.children.filter((child) => child instanceof FakeElement);
    return own.flatMap((child) => [...(child.tag === tag ? [child] : []), ...child.all(tag)]);
  }

  get text() {
    return this.children.map((child) => (child instanceof FakeElement ? child.text : String(child))).join("");
  }
}

globalThis.document = {
  createElement: (tag) => new FakeElement(tag),
  createElementNS: (_, tag) => new FakeElement(tag),
};
