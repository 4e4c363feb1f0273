// Changes a page the way the browser's translation does. The words stay the same, so that journeys find them.
import type { Page } from '@playwright/test'

/** How a translator changes texts: it moves them into its own elements, or replaces them with a copy. */
type Way = 'moves' | 'copies'

/** Translates every page that this tab opens, and every text that appears or changes. */
export async function translate(page: Page, way: Way): Promise<void> {
  await page.addInitScript((chosen) => {
    const skipped = 'script, style, option, textarea, title, svg, font'
    const wrap = (text: Text) => {
      if (!text.data.trim() || !text.parentElement || text.parentElement.closest(skipped)) return
      const [outer, inner] = [document.createElement('font'), document.createElement('font')]
      for (const font of [outer, inner]) font.style.verticalAlign = 'inherit'
      outer.append(inner)
      text.before(outer)
      if (chosen === 'moves') inner.append(text)
      else {
        inner.textContent = text.data
        text.remove()
      }
    }
    const wrapAll = (root: Node) => {
      if (root instanceof Text) return wrap(root)
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      const texts: Text[] = []
      while (walker.nextNode()) texts.push(walker.currentNode as Text)
      texts.forEach(wrap)
    }
    addEventListener('load', () => {
      new MutationObserver((records) => {
        for (const { type, target, addedNodes } of records)
          if (type === 'characterData') wrapAll(target)
          else addedNodes.forEach(wrapAll)
      }).observe(document, { childList: true, characterData: true, subtree: true })
      wrapAll(document.body)
    })
  }, way)
}
