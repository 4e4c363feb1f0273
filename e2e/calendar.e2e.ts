// Lessons out of a calendar's file: which events are lessons, and whose, then the preview and the import.
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { zipSync } from 'fflate'
import { test } from './journey.ts'
import { arrive } from './people.ts'
import { axeFaults, dayFromToday, faultsOf, post } from './screens.ts'

const compact = (day: string) => day.replaceAll('-', '')

/** A calendar whose events begin on the given days, at 4:30 PM wherever one is. */
function calendar(events: { title: string; day: string; minutes?: number; more?: string[] }[]): Buffer {
  const lines = events.flatMap(({ title, day, minutes = 60, more = [] }, at) => [
    'BEGIN:VEVENT',
    `UID:event-${at}@example.com`,
    ...(more.some((line) => line.startsWith('DTSTART')) ? [] : [`DTSTART:${compact(day)}T163000`]),
    `DURATION:PT${minutes}M`,
    ...more,
    `SUMMARY:${title}`,
    'END:VEVENT',
  ])
  return Buffer.from(['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n'))
}

function choose(page: Page, buffer: Buffer, name = 'family.ics') {
  return page
    .getByLabel('CSV file or calendar')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer })
}

test.use({ viewport: { width: 390, height: 844 } })

test('a family chooses its lessons in a calendar, and nothing else becomes one', async ({ page }) => {
  await arrive(page)
  const day = (days: number) => dayFromToday(page, days)
  const [maya] = [
    await post(page, 'students', { name: 'Maya Larsen' }),
    await post(page, 'students', { name: 'Leo Larsen' }),
  ]
  const ingrid = await post(page, 'tutors', { name: 'Ingrid Solberg', hourly_rate: 60, subjects: ['Math'] })
  await post(page, 'tutors', { name: 'Tom Becker', hourly_rate: 40, subjects: ['Piano'] })
  const logged = await day(-21)
  await post(page, 'sessions', { student_id: maya.id, tutor_id: ingrid.id, date: logged, duration: 1 })
  const file = calendar([
    { title: 'Maya math w/ Ingrid', day: await day(-28), more: ['RRULE:FREQ=WEEKLY'] },
    { title: 'Leo piano', day: await day(-9), minutes: 50 },
    { title: 'Leo piano', day: await day(-2), minutes: 50 },
    { title: 'Maya math w/ Ingrid', day: await day(-3), more: ['STATUS:CANCELLED'] },
    { title: 'Chess in the park', day: await day(-6) },
    { title: 'Dentist Maya', day: await day(-5), minutes: 30 },
    {
      title: 'Haircut',
      day: await day(-4),
      more: [`DTSTART;TZID=Customized Time Zone:${compact(await day(-4))}T090000`],
    },
  ])
  await page.goto('/import')
  await choose(page, file)
  const sure = page.getByRole('region', { name: 'These look like lessons' })
  await expect(sure.getByRole('checkbox')).toHaveCount(1)
  // The last one is today, so it depends on the time of day whether it's over.
  await expect(sure.getByText(/^[45] times, last .*, 1 h, Maya Larsen, Ingrid Solberg$/)).toBeVisible()
  await expect(sure.getByRole('checkbox', { name: 'Maya math w/ Ingrid' })).toBeChecked()
  await expect(
    page.getByText('7 events in this file. Left out: 1 canceled event. Nothing is saved yet.'),
  ).toBeVisible()
  await expect(
    page.getByText(/^We don’t know the time zone “Customized Time Zone”\. .*yours, /),
  ).toBeVisible()

  const likely = page.getByRole('region', { name: 'Which of these are lessons?' })
  await expect(likely.getByRole('checkbox')).toHaveCount(1)
  await likely.getByRole('checkbox', { name: 'Leo piano' }).check()
  await expect(page.getByText('Choose how long “Leo piano” is.')).toBeVisible()
  await likely.getByRole('combobox', { name: 'Length' }).selectOption('0.75 h')
  await expect(likely.getByText(/^2 times, last .*, 0\.75 h each, Leo Larsen, Tom Becker$/)).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Dentist Maya' })).toBeHidden()
  await page.getByRole('heading', { name: '3 other events' }).click()
  await expect(page.getByRole('checkbox', { name: 'Dentist Maya' })).not.toBeChecked()
  expect(await faultsOf(page)).toEqual([])
  expect(await axeFaults(page, 'light')).toEqual([])

  await page.getByRole('button', { name: /^Preview [67] sessions$/ }).click()
  await expect(page.getByText('Skip sessions that are already in your log (1 left out)')).toBeVisible()
  await expect(page.getByText('Columns')).toBeHidden()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: /^Import [56] sessions$/ }).click()
  await expect(page.getByText(/^[56] sessions imported$/)).toBeVisible()

  // The same calendar again has nothing new.
  await page.goto('/import')
  await choose(page, file)
  await likely.getByRole('checkbox', { name: 'Leo piano' }).check()
  await likely.getByRole('combobox', { name: 'Length' }).selectOption('0.75 h')
  await page.getByRole('button', { name: /^Preview [67] sessions$/ }).click()
  await expect(page.getByText('There is nothing new to import.')).toBeVisible()
})

test('a new tutor names students from an archive of calendars, and keeps the answers through a reload', async ({
  page,
}) => {
  await arrive(page, 'Tutor')
  const work = calendar([
    { title: 'Amelia maths', day: await dayFromToday(page, -8) },
    { title: 'Amelia maths', day: await dayFromToday(page, -1) },
    { title: 'Noah & Ella', day: await dayFromToday(page, -3), minutes: 90 },
  ])
  const archive = Buffer.from(
    zipSync({
      'work.ics': work,
      'home.ics': calendar([{ title: 'Gym', day: await dayFromToday(page, -1) }]),
    }),
  )
  await page.goto('/import')
  await choose(page, archive, 'ruth@example.com.ical.zip')
  await page.getByRole('radio', { name: 'work' }).check()
  await page.getByRole('checkbox', { name: 'Amelia maths' }).check()
  await page.getByRole('combobox', { name: 'Student' }).selectOption('Someone new')
  await page.getByLabel('Student’s name').fill('Amelia')
  await page.getByLabel('Student’s name').blur()
  await expect(page.getByText(/^2 times, .*, 1 h, Amelia$/)).toBeVisible()
  await page.reload()
  await choose(page, work)
  await expect(page.getByText(/^2 times, .*, 1 h, Amelia$/)).toBeVisible()
  await page.getByRole('heading', { name: '1 other event' }).click()
  await page.getByRole('checkbox', { name: 'Noah & Ella' }).check()
  const row = page.getByRole('listitem').filter({ hasText: 'Noah & Ella' })
  for (const [label, name] of [
    ['Student', 'Noah'],
    ['Student 2', 'Ella'],
  ] as const) {
    if (label !== 'Student') await row.getByRole('button', { name: 'Another student' }).click()
    await row.getByRole('combobox', { name: label, exact: true }).selectOption('Someone new')
    await row.getByLabel(`${label}’s name`).fill(name)
    await row.getByLabel(`${label}’s name`).blur()
  }
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Preview 4 sessions' }).click()
  await expect(page.getByText('3 new students: Amelia, Noah, Ella')).toBeVisible()
  await page.getByRole('button', { name: 'Import 4 sessions' }).click()
  await expect(page.getByText('4 sessions imported')).toBeVisible()
})

test('a calendar of 20,000 events leaves the page responsive, and one that is empty or broken says so', async ({
  page,
}) => {
  await arrive(page)
  const days = await Promise.all([-300, -200, -100, -50, -9].map((one) => dayFromToday(page, one)))
  const events = Array.from({ length: 20_000 }, (_, at) => ({
    title: `Event ${'abcdefghij'.charAt(at % 10)}${'klmnopqrst'.charAt(Math.floor(at / 10) % 10)} ${'x'.repeat(at % 60)}`,
    day: days[at % 5] ?? '',
    ...(at % 20 ? {} : { more: ['RRULE:FREQ=WEEKLY'] }),
  }))
  await page.goto('/import')
  await page.evaluate(() => {
    const frames: number[] = []
    Object.assign(globalThis, { frames })
    let last = performance.now()
    const next = (now: number) => {
      frames.push(now - last)
      last = now
      requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
  })
  // From the disk, as when someone chooses it: a test's own bytes would pass through the page first.
  const path = join(tmpdir(), `${randomUUID()}.ics`)
  await writeFile(path, calendar(events))
  await page.getByLabel('CSV file or calendar').setInputFiles(path)
  await expect(page.getByText(/^20,000 events in this file\./)).toBeVisible({ timeout: 60_000 })
  const frames = await page.evaluate(() => (globalThis as unknown as { frames: number[] }).frames)
  await rm(path)
  // Reading at one go would be one long frame, however busy the machine is.
  const total = frames.reduce((sum, one) => sum + one, 0)
  const longest = Math.max(...frames)
  expect(longest, `${Math.round(longest)} of ${Math.round(total)} ms`).toBeLessThan(total / 3)
  await page.getByRole('heading', { name: /other events$/ }).click()
  await page.getByLabel('Find an event').fill('Event ak xx')
  await expect(page.getByText(/^Showing 40 of \d+\. Find others by their title\.$/)).toBeHidden()

  await choose(page, calendar([]))
  await expect(page.getByText('There are no events in this calendar.')).toBeVisible()
  const broken = calendar([
    { title: 'Lesson', day: days[4] ?? '' },
    { title: 'Torn', day: '2026-99-99' },
  ])
  await choose(page, broken)
  await expect(page.getByText('1 event couldn’t be read.')).toBeVisible()
})
