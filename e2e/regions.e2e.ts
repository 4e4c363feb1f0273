import { readFile } from 'node:fs/promises'
import { type Browser, expect, type Page } from '@playwright/test'
import { extractText, getDocumentProxy } from 'unpdf'
import { test } from './journey.ts'
import { agreedMonth, mayaWithIngrid } from './pairs.ts'
import { confirm, mailTo, signUp, someone } from './people.ts'
import { faultsOf, PARENT, post, read, send, settled, TUTOR } from './screens.ts'

const MONTHS = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec'
/** "Nov 3" and "November 3", but not "3 Nov 2026" or "November 2026". */
const AMERICAN_DATE = new RegExp(`\\b(?:${MONTHS})[a-z]* \\d{1,2}\\b(?!\\d)`, 'g')
const TWELVE_HOURS = /\b\d{1,2}(?::\d{2})? ?[AP]\.?M\b/gi

interface Place {
  locale: string
  timezoneId: string
  currency: string
  /** What stands next to an amount. */
  symbol: string
  isTwelveHours?: boolean
  /** Whether the currency has no decimals. */
  isWhole?: boolean
}

/** What on this text isn't written the way people write there. */
function strangeIn(text: string, { currency, symbol, isTwelveHours, isWhole }: Place): string[] {
  const dollars = currency === 'USD' ? [] : [...text.matchAll(/.{0,12}\$.{0,12}/g)]
  const hours = isTwelveHours ? [] : [...text.matchAll(TWELVE_HOURS)]
  // Lengths of lessons have decimals, too, but never .00.
  const decimals = isWhole
    ? [...text.matchAll(new RegExp(`${symbol}[\\d,.]*\\.\\d+|[\\d,]+\\.00\\b`, 'g'))]
    : []
  return [...dollars, ...hours, ...decimals, ...text.matchAll(AMERICAN_DATE)].map(([found]) => found)
}

/** Everything a page says, also to a screen reader, and what its fields hold. */
async function saidOn(page: Page): Promise<string> {
  await settled(page)
  return page.evaluate(() => {
    const names = [...document.querySelectorAll('[aria-label], [placeholder], [title]')].flatMap((element) =>
      ['aria-label', 'placeholder', 'title'].map((name) => element.getAttribute(name) ?? ''),
    )
    const values = [...document.querySelectorAll('input')].map(({ value }) => value)
    return [document.body.innerText, ...names, ...values].join('\n')
  })
}

async function strangeOn(page: Page, paths: readonly string[], place: Place): Promise<string[]> {
  const found: string[] = []
  for (const path of paths) {
    await page.goto(path)
    found.push(...strangeIn(await saidOn(page), place).map((text) => `${path}: ${text}`))
  }
  return found
}

/** A file's text, downloaded by pressing a button. */
async function fileFrom(page: Page, press: () => Promise<void>): Promise<Buffer> {
  const download = page.waitForEvent('download')
  await press()
  return readFile(await (await download).path())
}

/** Last month closed by both, this month with a class this afternoon, one to answer for, a charge and a payment. */
async function fullMonth(page: Page, browser: Browser, { currency, isWhole }: Place) {
  const pair = await agreedMonth(page, browser, currency)
  const { tutor, who, own, today, month } = pair
  for (const side of [page, tutor])
    await send(side, 'post', 'months/close', { connection_id: pair.connection, month })
  const schedule = {
    day_of_week: new Date(`${today}T12:00:00Z`).getUTCDay(),
    frequency: 'weekly',
    duration: 1.5,
  }
  await post(page, 'schedules', { ...who, ...schedule, start_time: '16:30', start_date: `${month}-01` })
  await send(tutor, 'post', 'sessions', {
    ...own,
    date: today,
    duration: 0.75,
    hourly_rate: 45,
    start_time: '14:15',
  })
  await post(tutor, 'charges', {
    student_id: own.student_id,
    date: today,
    amount: isWhole ? 1250 : 12.5,
    reason: 'materials',
  })
  await post(page, 'payments', { tutor_id: who.tutor_id, date: today, amount: isWhole ? 12_345 : 1234.5 })
  return pair
}

/** The email to a tutor who never answers. One who accepts at once may not get any. */
async function askAnother(page: Page): Promise<{ text: string }> {
  const { email } = someone()
  const { who, log } = await mayaWithIngrid(page, { child: 'Theo', tutor: 'Odile', email })
  await log({ start_time: '17:15' })
  await post(page, 'connections', { tutor_id: who.tutor_id })
  return mailTo(page, email, 'asks you to confirm')
}

/** Records a payment with the amount as it was typed. */
async function pay(page: Page, typed: string): Promise<void> {
  await page.getByRole('button', { name: 'Record a payment' }).click()
  const dialog = page.getByRole('dialog', { name: 'Record a payment' })
  await dialog.getByLabel(/^Amount/).pressSequentially(typed)
  await dialog.getByRole('button', { name: 'Add Payment' }).click()
  await expect(dialog).toBeHidden()
}

/** Decimals are refused next to the field, in a payment and in a tutor's rate, and what was typed stays. */
async function refuseDecimals(page: Page, currency: string): Promise<void> {
  const words = `${currency} has no decimals. Enter a whole amount such as 4500`
  await page.getByRole('button', { name: 'Record a payment' }).click()
  const dialog = page.getByRole('dialog', { name: 'Record a payment' })
  const amount = dialog.getByLabel(/^Amount/)
  await amount.fill('32,50')
  await dialog.getByRole('button', { name: 'Add Payment' }).click()
  await expect(amount).toHaveAccessibleDescription(words)
  await expect(amount).toHaveValue('32,50')
  await amount.fill('')
  await expect(amount).toHaveAccessibleDescription('Enter a whole amount such as 4500')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
}

for (const place of [
  { locale: 'en-GB', timezoneId: 'Europe/London', currency: 'GBP', symbol: '£' },
  { locale: 'en-IN', timezoneId: 'Asia/Kolkata', currency: 'INR', symbol: '₹', isTwelveHours: true },
  { locale: 'de-DE', timezoneId: 'Europe/Berlin', currency: 'EUR', symbol: '€' },
  { locale: 'ja-JP', timezoneId: 'Asia/Tokyo', currency: 'JPY', symbol: '¥', isWhole: true },
  {
    locale: 'ko-KR',
    timezoneId: 'Asia/Seoul',
    currency: 'KRW',
    symbol: '₩',
    isTwelveHours: true,
    isWhole: true,
  },
] satisfies Place[] as Place[]) {
  test.describe(place.locale, () => {
    test.use({ locale: place.locale, timezoneId: place.timezoneId })

    test(`someone with a browser in ${place.locale} reads their own dates, hours and money on every screen and paper`, async ({
      page,
      browser,
    }) => {
      const pair = await fullMonth(page, browser, place)
      const { tutor, month } = pair
      expect(await strangeOn(page, PARENT, place)).toEqual([])
      expect(await strangeOn(tutor, TUTOR, place)).toEqual([])
      await page.goto('/payments')
      await expect(
        page.getByText(`${place.symbol}${place.isWhole ? '12,345' : '1,234.50'}`).first(),
      ).toBeVisible()
      expect(await faultsOf(page)).toEqual([])
      const amounts = place.isWhole
        ? { '3250': 3250, '2.345': 2345, '3,456': 3456, '４３２５': 4325, '٥٤٣٢': 5432 }
        : { '32,50': 32.5, '2.345,50': 2345.5, '3,456.50': 3456.5, '٤٣٫٢٥': 43.25 }
      if (place.isWhole) await refuseDecimals(page, place.currency)
      for (const typed of Object.keys(amounts)) await pay(page, typed)
      const paid = (await read<{ amount: number }[]>(page, 'payments')).map(({ amount }) => amount)
      expect(new Set(paid)).toEqual(new Set([place.isWhole ? 12_345 : 1234.5, ...Object.values(amounts)]))

      await page.goto(`/summary?month=${month}`)
      await page.getByRole('button', { name: 'Statement' }).click()
      const dialog = page.getByRole('dialog', { name: 'Statement' })
      const pdf = await fileFrom(page, () => dialog.getByRole('button', { name: /PDF/ }).click())
      const { text } = await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true })
      expect(strangeIn(text, place)).toEqual([])
      expect(text).toContain(`${place.symbol}${place.isWhole ? '45' : '45.00'}`)
      const csv = await fileFrom(page, () => dialog.getByRole('button', { name: /CSV/ }).click())
      expect(strangeIn(csv.toString(), place)).toEqual([])
      const mail = await askAnother(page)
      expect(strangeIn(mail.text, place)).toEqual([])
    })

    test(`${place.locale}: signing up guesses the currency, and the settings name the region`, async ({
      page,
    }) => {
      const person = someone()
      await signUp(page, person)
      await confirm(page, person)
      const me = await read<{ currency: string; region: string }>(page, 'me')
      expect(me.currency).toBe(place.currency)
      await page.goto('/account')
      const region = page.getByRole('combobox', { name: 'Region' })
      await expect(region).toHaveValue(place.locale.slice(3))
      await region.selectOption({ label: 'United States' })
      await expect(page.getByText('Region changed')).toBeVisible()
      await expect(page.getByText(/^For dates and numbers, like .*, 4:30 PM$/)).toBeVisible()
    })
  })
}
