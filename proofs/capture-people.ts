// Creates the people whose screens proofs/capture.ts captures. Goes through the API, like any other client.
import { spawnSync } from 'node:child_process'
import { type Browser, expect, type Page } from '@playwright/test'
import { fillFamily, fillPractice } from '../e2e/long-names.ts'
import { aFamily, agreedMonth } from '../e2e/pairs.ts'
import { type Person as Account, arrive, linkIn, mailTo, someone } from '../e2e/people.ts'
import { LONG_NAME, post, read, send } from '../e2e/screens.ts'
import {
  ADMIN_SCREENS,
  agreedScreens,
  answeredScreens,
  CAREGIVER_SCREENS,
  emailedScreens,
  ownScreens,
  type Screen,
  screensOf,
  STATES,
  VISITOR,
} from './capture-screens.ts'

/** A person with screens to capture. */
export interface Person {
  name: string
  /** Visitors don't have an account. */
  account?: Account
  screens: Screen[]
  /** Captures the person only in these states. By default, in all of them. */
  states?: string[]
}

/** What's needed to create people: a browser and the server's settings. */
interface Place {
  browser: Browser
  origin: string
  env: Record<string, string | undefined>
}

/** Creates the people for a state's data. Returns them with their screens. */
export async function peopleWith(data: 'full' | 'empty' | 'long', place: Place): Promise<Person[]> {
  if (data === 'empty') return emptyPeople(place)
  if (data === 'long') return longPeople(place)
  return [
    { name: 'visitor', screens: VISITOR, states: ['full', 'large'] },
    ...(await demoPeople(place)),
    ...(await otherPeople(place)).map((person) => ({ ...person, states: ['full', 'large'] })),
    ...(await emailedPeople(place)).map((person) => ({ ...person, states: ONLINE })),
  ]
}

/** People without an account don't have the app installed. */
const ONLINE = Object.keys(STATES).filter((name) => !STATES[name]?.isOffline)

async function newPage({ browser, origin }: Place): Promise<Page> {
  const context = await browser.newContext({ baseURL: origin, timezoneId: 'America/New_York' })
  const page = await context.newPage()
  await page.goto('/healthz')
  return page
}

async function personOf(page: Page, name: string, screens: Screen[]): Promise<Person> {
  const { email } = await read<{ email: string }>(page, 'me')
  await page.context().close()
  const { password } = email.startsWith('person-') ? someone() : DEMO
  return { name, account: { email, password }, screens }
}

function runCommand({ env }: Place, ...args: string[]): void {
  const { status, stderr } = spawnSync(process.execPath, args, { env: env as NodeJS.ProcessEnv })
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr.toString()}`)
}

const DEMO = { password: 'lanterns-and-7-pears' }
/** The month `back` months ago, as yyyy-MM. */
const monthAgo = (back: number) => {
  const now = new Date()
  const then = new Date(now.getFullYear(), now.getMonth() - back, 15)
  return `${then.getFullYear()}-${String(then.getMonth() + 1).padStart(2, '0')}`
}

async function demoPeople(place: Place): Promise<Person[]> {
  runCommand(place, 'src/main/demo.ts')
  const people: Person[] = []
  for (const role of ['parent', 'tutor'] as const) {
    const page = await newPage(place)
    const email = role === 'parent' ? 'family@example.com' : 'tutor@example.com'
    const answer = await page.request.post('/api/auth/sign-in', {
      data: { email, ...DEMO },
      headers: { origin: place.origin },
    })
    expect(answer.status(), await answer.text()).toBe(200)
    if (role === 'parent') people.push(await aCaregiver(place, page))
    people.push(await personOf(page, role, ownScreens(role, 'full', await pathsOf(page, role))))
  }
  return people
}

/** Paths that contain an id: a month, an amount due, and a closed month. */
async function pathsOf(page: Page, role: 'parent' | 'tutor'): Promise<string[]> {
  const connections = await read<{ id: string; tutor_id: string | null }[]>(page, 'connections')
  const students = await read<{ id: string }[]>(page, 'students')
  const { months } = await read<{ months: { connection_id: string; month: string; code: string }[] }>(
    page,
    'months/closed',
  )
  const party = role === 'parent' ? connections.find(({ tutor_id: id }) => id)?.tutor_id : students[0]?.id
  const [closed] = months
  return [
    `/summary?month=${monthAgo(1)}`,
    `/payments?with=${party}`,
    ...(closed
      ? [
          `/summary?month=${closed.month}`,
          `/months?connection=${closed.connection_id}&month=${closed.month}`,
          `/verify/${closed.code}`,
        ]
      : []),
  ]
}

async function aCaregiver(place: Place, owner: Page): Promise<Person> {
  const cara = someone()
  const [child] = await read<{ id: string }[]>(owner, 'students')
  await post(owner, 'members', { email: cara.email, role: 'caregiver', student_ids: [child?.id] })
  const page = await newPage(place)
  const link = linkIn((await mailTo(page, cara.email, 'invited you to their')).text)
  const answer = await page.request.post('/api/auth/join', {
    data: {
      token: new URLSearchParams(new URL(link).hash.slice(1)).get('token'),
      full_name: 'Cara Bell',
      password: cara.password,
    },
    headers: { origin: place.origin },
  })
  expect(answer.status(), await answer.text()).toBe(200)
  return personOf(page, 'caregiver', CAREGIVER_SCREENS)
}

/** A tutor's payment options, by currency. */
const HOLDER = { holder: 'Ingrid Lindqvist', iban: 'CH93 0076 2011 6238 5295 7' }
const WAYS: Record<string, object[]> = {
  INR: [{ kind: 'upi', name: 'Ingrid Lindqvist', address: 'ingrid.lindqvist@okaxis' }],
  EUR: [
    { kind: 'sepa', holder: HOLDER.holder, iban: 'SE45 5000 0000 0583 9825 7466', message: 'Lessons' },
    { kind: 'link', url: 'https://paypal.me/IngridL' },
    { kind: 'text', text: 'Cash at the next lesson is fine too.' },
  ],
  CHF: [
    {
      kind: 'swiss',
      currency: 'CHF',
      ...HOLDER,
      street: 'Rue du Lac',
      building: '12',
      postal_code: '2501',
      town: 'Biel/Bienne',
      country: 'CH',
    },
  ],
}

/**
 * Connected pairs that have agreed on last month. In one pair, one of the sides has asked to close it. The
 * other pairs use different payment options. Also adds an administrator.
 */
async function otherPeople(place: Place): Promise<Person[]> {
  const people: Person[] = []
  for (const [currency, ways] of Object.entries({ USD: [], ...WAYS })) {
    const pair = await agreedMonth(await newPage(place), place.browser, currency)
    const { family, tutor, who, connection, month } = pair
    await send(tutor, 'put', 'payment-ways', { ways })
    if (currency === 'USD') await send(family, 'post', 'months/close', { connection_id: connection, month })
    const closing = screensOf(['/dashboard', `/summary?month=${month}`])
    people.push(
      await personOf(
        family,
        `family-${currency}`,
        currency === 'USD'
          ? closing
          : screensOf([`/payments?with=${who.tutor_id}`, `/summary?month=${month}`]),
      ),
      await personOf(tutor, `tutor-${currency}`, currency === 'USD' ? closing : screensOf(['/account'])),
    )
  }
  const admin = await newPage(place)
  const { email } = await arrive(admin)
  runCommand(place, 'src/main/admin.ts', 'grant', email)
  return [...people, await personOf(admin, 'admin', ADMIN_SCREENS)]
}

/**
 * People without an account who got an email from the other side. They see sessions and payments to respond
 * to, a month to close, and a closed month.
 */
async function emailedPeople(place: Place): Promise<Person[]> {
  const people: Person[] = []
  for (const side of ['tutor', 'family'] as const) {
    const screens: Screen[] = []
    for (const screensFor of [emailedScreens, agreedScreens, answeredScreens]) {
      const asking = await newPage(place)
      const token = await (side === 'tutor' ? asATutor : asAFamily)(asking)
      if (screensFor !== emailedScreens) await answerAll(asking, token)
      if (screensFor === answeredScreens) await closeByLink(asking, token)
      screens.push(...screensFor(token))
      await asking.context().close()
    }
    people.push({ name: `emailed-${side}`, screens })
  }
  return people
}

/** A family sends a request to its tutor, who has no account. Returns the token from the tutor's email. */
async function asATutor(family: Page): Promise<string> {
  const { email, who, connect } = await aFamily(family, { full_name: 'Jordan Whitfield' })
  await logMonth(family, who)
  await connect()
  const token = await tokenIn(family, email)
  await confirmFirst(family, token)
  await post(family, 'payments', {
    tutor_id: who.tutor_id,
    date: `${monthAgo(1)}-27`,
    amount: 90,
    method: 'transfer',
  })
  return token
}

/** A tutor invites a family that has no account. Returns the token from the family's email. */
async function asAFamily(tutor: Page): Promise<string> {
  await arrive(tutor, 'Tutor')
  await send(tutor, 'patch', 'me', { full_name: 'Ingrid Lindqvist' })
  const [self] = await read<{ id: string }[]>(tutor, 'tutors')
  await send(tutor, 'patch', `tutors/${self?.id}`, { hourly_rate: 45 })
  await send(tutor, 'put', 'payment-ways', {
    ways: [
      { kind: 'link', url: 'https://paypal.me/IngridTutors' },
      { kind: 'text', text: 'Cash is fine too.' },
    ],
  })
  const maya = await post(tutor, 'students', { name: 'Maya Whitfield' })
  await logMonth(tutor, { student_id: maya.id, tutor_id: self?.id })
  const { email } = someone()
  await post(tutor, 'connections', { email, student_ids: [maya.id] })
  const token = await tokenIn(tutor, email)
  await confirmFirst(tutor, token)
  await post(tutor, 'payments', {
    student_id: maya.id,
    date: `${monthAgo(1)}-27`,
    amount: 90,
    method: 'cash',
  })
  return token
}

async function logMonth(page: Page, who: object): Promise<void> {
  for (const [day, duration, summary] of [
    ['03', 1, null],
    ['10', 1.5, 'Fractions with unlike denominators.'],
    ['17', 1, null],
  ] as const)
    await post(page, 'sessions', {
      ...who,
      date: `${monthAgo(1)}-${day}`,
      duration,
      subject: 'Algebra II',
      summary,
    })
}

async function tokenIn(page: Page, email: string): Promise<string> {
  return new URL(linkIn((await mailTo(page, email, 'asks you to confirm')).text)).hash.slice(1)
}

type Versions = { id: string; version: number }[]

/** Uses a token to make a call of the emailed page, as a recipient who isn't signed in. */
async function withToken<Answer>(
  page: Page,
  token: string,
  path: string,
  data: object = {},
): Promise<Answer> {
  const { origin } = new URL(page.url())
  const response = await fetch(`${origin}/api/${path}`, {
    method: 'POST',
    body: JSON.stringify(data),
    headers: { origin, 'content-type': 'application/json', 'tutorlog-link': token },
  })
  const text = await response.text()
  expect(response.ok, `${path}: ${text}`).toBe(true)
  return JSON.parse(text) as Answer
}

/** Confirms one session. Doing so connects the two sides, so payments are shared from then on. */
async function confirmFirst(asking: Page, token: string): Promise<void> {
  const { sessions } = await withToken<{ sessions: Versions }>(asking, token, 'link/open')
  const first = sessions.slice(0, 1).map(({ id, version }) => ({ id, version }))
  await withToken(asking, token, 'v1/confirmations', { sessions: first })
}

/**
 * Uses an emailed token to confirm all sessions and payments. The side that sent the email then asks to close
 * the month.
 */
async function answerAll(asking: Page, token: string): Promise<void> {
  const { sessions, money } = await withToken<{ sessions: Versions; money: { payments: Versions } }>(
    asking,
    token,
    'link/open',
  )
  const all = sessions.map(({ id, version }) => ({ id, version }))
  await withToken(asking, token, 'v1/confirmations', { sessions: all })
  for (const { id } of money.payments) await withToken(asking, token, `v1/payments/${id}/confirm`)
  await send(asking, 'post', 'months/close', await lastMonth(asking))
}

/** Closes the month that the side that sent the email asked to close. */
async function closeByLink(asking: Page, token: string): Promise<void> {
  await withToken(asking, token, 'v1/months/close', await lastMonth(asking))
}

async function lastMonth(asking: Page): Promise<{ connection_id: string | undefined; month: string }> {
  const [connection] = await read<{ id: string }[]>(asking, 'connections')
  return { connection_id: connection?.id, month: monthAgo(1) }
}

async function emptyPeople(place: Place): Promise<Person[]> {
  const people: Person[] = []
  for (const role of ['parent', 'tutor'] as const) {
    const page = await newPage(place)
    await arrive(page, role === 'parent' ? 'Parent' : 'Tutor')
    people.push(await personOf(page, role, ownScreens(role, 'empty', [])))
  }
  return people
}

async function longPeople(place: Place): Promise<Person[]> {
  const [family, tutor] = [await newPage(place), await newPage(place)]
  const { email } = someone()
  await arrive(family)
  const filled = await fillFamily(family, email)
  await arrive(tutor, 'Tutor', email)
  const { own, compared } = await fillPractice(tutor, filled)
  const emailed = someone()
  await send(family, 'patch', `tutors/${filled.ids[1]?.tutor_id}`, { email: emailed.email, name: LONG_NAME })
  await post(family, 'connections', { tutor_id: filled.ids[1]?.tutor_id })
  const token = await tokenIn(family, emailed.email)
  const [student, party] = [own[0]?.student_id, filled.ids[0]?.tutor_id]
  return [
    await personOf(family, 'parent', ownScreens('parent', 'long', [compared, `/payments?with=${party}`])),
    await personOf(tutor, 'tutor', ownScreens('tutor', 'long', [compared, `/payments?with=${student}`])),
    { name: 'emailed-tutor', screens: emailedScreens(token) },
  ]
}
