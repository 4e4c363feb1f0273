import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cents, formatMoney } from '#kernel/money.ts'
import { pagesOf, textOfPdf } from '#main/testing/paper.server.ts'
import { tenPapers } from '#main/testing/papers.server.ts'
import { writeFor } from '#platform/reader.server.ts'
import { renderPaper } from './pdf.server.ts'

test('a PDF reader finds the same lines and sums in ten papers that are hard to print', async () => {
  for (const issued of tenPapers()) {
    const text = (await textOfPdf(await renderPaper(issued, 'letter'))).replaceAll('\u00A0', ' ')
    const { content, number } = issued
    const { currency, sums } = content
    const shown = (label: string, amount: number) => {
      const figure = formatMoney(cents(amount), currency).replaceAll('\u00A0', ' ')
      assert.ok(text.includes(`${label} ${figure}`), `${number}: ${label} ${figure}`)
    }
    shown('Total', sums.total)
    shown('Paid', sums.paid)
    shown('Due', sums.due)
    // Every amount in a column, added up by what was read, is the sum below it.
    const amounts = [...text.matchAll(/-?(?:CHF|[$€]) ?[\d,]+\.\d\d/g)].map(([amount]) => inCents(amount))
    const rows = [content.lessons, content.charges, content.payments].map((lines) =>
      lines.flatMap(({ amount_cents: amount }) => amount ?? []),
    )
    let at = 0
    for (const own of rows.filter((amounts) => amounts.length > 0)) {
      const read = amounts.slice(at, at + own.length)
      assert.deepEqual(read, own, number)
      assert.equal(
        amounts[at + own.length],
        read.reduce((sum, amount) => sum + amount, 0),
        number,
      )
      at += own.length + 1
    }
    assert.equal(text.includes('Paid in full.'), sums.due === 0)
  }
})

const inCents = (text: string) => Math.round(Number(text.replaceAll(/[^\d.-]/g, '')) * 100)

test('a paper keeps the way of writing of the region it was issued in', async () => {
  const [plain = assert.fail()] = tenPapers()
  const german = { ...plain, content: { ...plain.content, region: 'DE' } }
  const text = async (issued: typeof plain) => textOfPdf(await renderPaper(issued, 'a4'))
  assert.match(await text(plain), /4:30 – 5:30 PM/)
  assert.match(await writeFor('DE', () => text(german)), /16:30 – 17:30/)
})

test('a long paper goes on with its header on the next page, and each page has its number and code', async () => {
  const [, , long] = tenPapers()
  const pages = await pagesOf(await renderPaper(long ?? assert.fail(), 'a4'))
  assert.ok(pages.length >= 3, `${pages.length} pages`)
  for (const [at, page] of pages.entries()) {
    assert.match(page, /Receipt 2026-0003/)
    assert.match(page, new RegExp(`Page ${at + 1} of ${pages.length}`))
    assert.match(page, /with code ABCDE-FGHJK/)
  }
  assert.match(pages[1] ?? '', /Date\s+Time\s+Length/)
})

test('a void paper says so at the top, and one that replaces it names it', async () => {
  const [voided, again] = tenPapers().slice(-2)
  assert.match(
    await textOfPdf(await renderPaper(voided ?? assert.fail(), 'a4')),
    /VOID\s+Declared void on Dec 2, 2026/,
  )
  assert.match(
    await textOfPdf(await renderPaper(again ?? assert.fail(), 'a4')),
    /No\. 2026-0009, which is void/,
  )
})
