// Lets people read the app through their browser's translation (docs/decisions/0028-translated-pages.md).
// Translating replaces text nodes with <font> elements, or moves them into some. React then fails to remove
// those nodes or to insert something before them, and a text it changes isn't on the page any more.
/** The translation that replaced a text, and the other way around. */
const translations = new WeakMap<Node, ChildNode>()
const originals = new WeakMap<Node, ChildNode>()
let observer: MutationObserver | undefined

/** Browsers put a translated text into this element. HTML has given it up, so no screen of ours contains it. */
const isTranslation = (node: Node) => node.nodeName === 'FONT'

const isText = (node: Node): node is Text => node.nodeType === Node.TEXT_NODE

/** Pairs texts that were taken out of the page with what was put in their place. */
function note(records: MutationRecord[]): void {
  /** What was inserted next to a text that was still there. */
  const beside = new Map<Node, ChildNode>()
  const pair = (text: ChildNode, translation: ChildNode | undefined) => {
    if (!translation || originals.has(translation)) return
    translations.set(text, translation)
    originals.set(translation, text)
    observer?.observe(text, { characterData: true })
  }
  for (const { type, target, addedNodes, removedNodes, previousSibling, nextSibling } of records) {
    if (type === 'characterData') {
      // A text on the page shows its new value by itself.
      const translation = translations.get(target)
      if (!target.isConnected && translation?.parentNode) restore(translation.parentNode)
      continue
    }
    const added = ([...addedNodes] as ChildNode[]).filter(isTranslation)
    for (const neighbor of [nextSibling, previousSibling])
      if (added[0] && neighbor && isText(neighbor)) beside.set(neighbor, added[0])
    for (const node of removedNodes) if (isText(node)) pair(node, added.shift() ?? beside.get(node))
  }
}

/** Puts an element's own texts back in place of their translations. They get translated again. */
function restore(parent: Node): void {
  for (const child of parent.childNodes) {
    const original = originals.get(child)
    if (original && original.parentNode !== parent) child.replaceWith(original)
  }
}

/** Makes sure that a node is where React put it: directly in its parent. */
function putBack(parent: Node, node: Node): void {
  if (node.parentNode === parent) return
  note(observer?.takeRecords() ?? [])
  restore(parent)
  if (node.parentNode === parent || !parent.contains(node)) return
  let wrapper = node.parentElement
  while (wrapper && wrapper.parentNode !== parent) wrapper = wrapper.parentElement
  wrapper?.before(node)
  if (!wrapper?.textContent) wrapper?.remove()
}

/** Call this before React renders for the first time. */
export function survivePageTranslation(): void {
  observer = new MutationObserver(note)
  observer.observe(document, { childList: true, subtree: true })
  const { appendChild, insertBefore, removeChild } = Node.prototype
  // A text that React moves takes its translation's place first, or the translation would stay behind.
  const replaceTranslation = (node: Node) => {
    const translation = translations.get(node)
    if (translation?.parentNode && node.parentNode !== translation.parentNode) restore(translation.parentNode)
  }
  Node.prototype.appendChild = function <Child extends Node>(this: Node, node: Child): Child {
    replaceTranslation(node)
    return appendChild.call(this, node) as Child
  }
  Node.prototype.insertBefore = function <Child extends Node>(
    this: Node,
    node: Child,
    next: Node | null,
  ): Child {
    replaceTranslation(node)
    if (next) putBack(this, next)
    return insertBefore.call(this, node, next?.parentNode === this ? next : null) as Child
  }
  Node.prototype.removeChild = function <Child extends Node>(this: Node, node: Child): Child {
    putBack(this, node)
    return node.parentNode === this ? (removeChild.call(this, node) as Child) : node
  }
}
