// Checking a closed month's page with the one file that works without the server.
import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { agreedMonth } from './pairs.ts'
import { faultsOf, send } from './screens.ts'

const VECTORS = 'docs/page-format'

async function choose(page: Page, name: string, bytes: Buffer): Promise<void> {
  await page
    .getByLabel('PDF of the page')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: bytes })
}
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 2, name })

test('the checker, saved as a file, tells offline whether the page of a closed month is genuine, and what it says', async ({
  page,
  browser,
}, info) => {
  const { family, tutor, connection, month, name } = await agreedMonth(page, browser)
  for (const side of [family, tutor])
    await send(side, 'post', 'months/close', { connection_id: connection, month })
  await family.goto(`/months?connection=${connection}&month=${month}`)
  const [pdf] = await Promise.all([
    family.waitForEvent('download'),
    family.getByRole('button', { name: 'Keep a copy (PDF)' }).click(),
  ])
  const bytes = readFileSync(await pdf.path())
  await family.goto('/verify')
  expect(await faultsOf(family)).toEqual([])
  const [saved] = await Promise.all([
    family.waitForEvent('download'),
    family.getByRole('link', { name: 'Save it for later' }).click(),
  ])
  const file = info.outputPath('checker.html')
  writeFileSync(file, readFileSync(await saved.path()))

  const asked: string[] = []
  await page.context().setOffline(true)
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(pathToFileURL(file).href)
  await expect(page.getByText('It knows 1 key of http://localhost:4173.')).toBeVisible()
  await choose(page, 'November.pdf', bytes)
  await expect(heading(page, 'This page is genuine')).toBeFocused()
  await expect(page.getByText(/^Jordan Whitfield with /)).toBeVisible()
  await expect(page.getByText('$52.50').first()).toBeVisible()
  await expect(page.getByText(/^Tutor\. Confirmed it on .* with an account\.$/)).toBeVisible()
  await expect(page.getByRole('heading', { name: new RegExp(`^${name} `) })).toBeVisible()
  expect(await faultsOf(page)).toEqual([])

  const changed = Buffer.from(bytes)
  const middle = bytes.length - 3000
  changed[middle] = (changed[middle] ?? 0) ^ 1
  await choose(page, 'November.pdf', changed)
  await expect(heading(page, 'This file was changed')).toBeFocused()
  await expect(page.getByText('Rely only on what’s shown here')).toBeVisible()
  expect(await faultsOf(page)).toEqual([])

  await choose(page, 'genuine.pdf', readFileSync(`${VECTORS}/genuine.pdf`))
  await expect(heading(page, 'This page was signed with an unknown key')).toBeFocused()
  await expect(page.getByText('€187.73')).toHaveCount(0)
  await choose(page, 'keys.json', readFileSync(`${VECTORS}/keys.json`))
  await expect(
    page.getByText('It knows 2 keys of http://localhost:4173 and https://tutorlog.example.'),
  ).toBeVisible()
  await expect(heading(page, 'This page is genuine'), 'the last file is checked again').toBeFocused()
  await expect(page.getByText('€187.73')).toBeVisible()
  await choose(page, 'passkeys.json', readFileSync(`${VECTORS}/passkeys.json`))
  await expect(page.getByText('The family’s signature by passkey holds')).toBeVisible()
  await choose(page, 'sealed.pdf', readFileSync(`${VECTORS}/sealed.pdf`))
  await expect(heading(page, 'This page is genuine')).toBeFocused()
  await choose(page, 'other.pdf', readFileSync(`${VECTORS}/seal-of-other-bytes.pdf`))
  await expect(heading(page, 'This file was changed')).toBeFocused()
  const dropped = await page.evaluateHandle(
    (text) => {
      const data = new DataTransfer()
      data.items.add(new File([text], 'dropped.json'))
      return data
    },
    readFileSync(`${VECTORS}/genuine.json`, 'utf8'),
  )
  await page.dispatchEvent('body', 'drop', { dataTransfer: dropped })
  await expect(page.getByText('dropped.json')).toBeVisible()
  await choose(page, 'photo.jpg', Buffer.from('something else'))
  await expect(heading(page, 'There’s no signed page in this file')).toBeFocused()
  expect(
    asked.filter((url) => !url.startsWith('file:')),
    'it requests nothing',
  ).toEqual([])

  await choose(page, 'November.pdf', bytes)
  await expect(heading(page, 'This page is genuine')).toBeFocused()
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme })
      expect(await faultsOf(page), `${width} ${theme}`).toEqual([])
    }
  }
})
