// What comes out of the printer: black on white in both themes, without anything that only works on a screen.
import { expect, type Page } from '@playwright/test'
import { extractText, getDocumentProxy } from 'unpdf'
import { test } from './journey.ts'
import { agreedMonth } from './pairs.ts'
import { settled } from './screens.ts'

/** A page as it's printed: its text, and the file without what says when it was made. */
async function printed(page: Page, colorScheme: 'light' | 'dark'): Promise<{ text: string; file: string }> {
  await page.emulateMedia({ colorScheme })
  const bytes = await page.pdf({ format: 'letter' })
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: true })
  return {
    text: text.replaceAll(/\s+/g, ' '),
    file: bytes.toString('latin1').replaceAll(/D:\d{14}[^)]*/g, ''),
  }
}

/** The colors of a page's text and background on paper. */
async function inks(page: Page): Promise<string[]> {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  const found = await page.evaluate(() => {
    const colors = new Set<string>([`page ${getComputedStyle(document.body).backgroundColor}`])
    for (const element of document.querySelectorAll('main *')) {
      const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim())
      if (hasText && element.checkVisibility()) colors.add(getComputedStyle(element).color)
    }
    return [...colors].sort()
  })
  await page.emulateMedia({ media: null })
  return found
}

const WHITE_AND_BLACK = ['page rgb(255, 255, 255)', 'rgb(0, 0, 0)']

test('a printed month has every session, its totals, the name and the month, no controls, and looks the same in both themes', async ({
  page,
  browser,
}) => {
  const { month, name } = await agreedMonth(page, browser)
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`/summary?month=${month}`)
    await settled(page)
    const light = await printed(page, 'light')
    for (const said of ['Jordan Whitfield', 'Monthly Summary', name, '$45.00', '$67.50', '$112.50'])
      expect(light.text).toContain(said)
    expect(light.text.match(/Algebra/g)).toHaveLength(2)
    for (const control of [
      'Record a payment',
      'Statement',
      'Whole year',
      'Import',
      'Dashboard',
      'Add Session',
    ])
      expect(light.text).not.toContain(control)
    expect((await printed(page, 'dark')).file).toBe(light.file)
    expect(await inks(page)).toEqual(WHITE_AND_BLACK)
  }
})

test('the ledger and the help page are printed black on white, without controls', async ({
  page,
  browser,
}) => {
  await agreedMonth(page, browser)
  for (const path of ['/payments', '/help']) {
    await page.goto(path)
    await settled(page)
    const light = await printed(page, 'light')
    expect(light.text).toContain(await page.getByRole('heading', { level: 1 }).innerText())
    if (path === '/payments') {
      expect(light.text).toContain('$52.50')
      expect(light.text).not.toContain('Record a payment')
    }
    expect((await printed(page, 'dark')).file).toBe(light.file)
    expect(await inks(page)).toEqual(WHITE_AND_BLACK)
  }
})
