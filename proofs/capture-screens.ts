// The states and screens that proofs/capture.ts captures for each person.
import type { Page } from '@playwright/test'
import { ADMIN, PARENT, PUBLIC, TUTOR } from '../e2e/screens.ts'

export const WIDTHS: readonly number[] = [360, 390, 768, 1280, 1920]

/** A condition under which screens are captured. */
export interface State {
  /** The data to use: the demo's, none, or data with the longest names and amounts. */
  data: 'full' | 'empty' | 'long'
  /** How the API responds: normally, with a 500, or after 5 seconds. */
  answers?: 'failing' | 'late'
  isOffline?: boolean
  /** The browser's text size, if it isn't the usual 16px. */
  textSize?: string
  /** Widths at which to also open the dialogs that buttons lead to. */
  dialogWidths?: readonly number[]
}

export const STATES: Record<string, State> = {
  full: { data: 'full', dialogWidths: WIDTHS },
  empty: { data: 'empty' },
  long: { data: 'long', dialogWidths: [360, 768] },
  failing: { data: 'full', answers: 'failing' },
  loading: { data: 'full', answers: 'late' },
  offline: { data: 'full', isOffline: true },
  large: { data: 'full', textSize: '32px', dialogWidths: [360, 768] },
}

/** The themes, in the order in which each screen is captured. */
export const THEMES = ['light', 'dark'] as const

/** A screen, or a part of a screen that takes an action to reach. */
export interface Screen {
  name: string
  path: string
  /** Opens that part. Used only in states in which the API responds right away. */
  then?: (page: Page) => Promise<void>
}

/** Returns a screen for each path, with a name derived from the path. */
export function screensOf(paths: readonly string[]): Screen[] {
  return paths.map((path) => ({ name: slug(path) || 'landing', path }))
}

/** Turns a path or a button's label into part of a filename. */
export function slug(words: string): string {
  return words
    .replace(/token=\S+|access_token=\S+|[0-9a-f-]{36}/g, '')
    .replace(/[^a-z0-9]+/gi, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase()
}

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('button', { name }).filter({ visible: true }).first().click()

async function say(page: Page, words: string): Promise<void> {
  await page.getByRole('textbox', { name: /type or dictate it/i }).fill(words)
  await page.getByRole('button', { name: 'Fill in the form' }).click()
}

const VOICE_PATH = '/add-session?tab=voice'
const SENTENCE = 'Maya had an hour of algebra with Ingrid yesterday'

/** The steps of voice input, except the first. */
const VOICE: Screen[] = [
  { name: 'voice-recording', path: VOICE_PATH, then: press('Start recording') },
  {
    name: 'voice-processing',
    path: VOICE_PATH,
    then: async (page) => {
      await page.route('**/api/v1/speech', () => undefined, { times: 1 })
      await say(page, SENTENCE)
    },
  },
  {
    name: 'voice-failed',
    path: VOICE_PATH,
    then: async (page) => {
      await page.route('**/api/v1/speech', (route) => route.fulfill({ status: 500 }), { times: 1 })
      await say(page, SENTENCE)
      await page.getByRole('button', { name: /again/i }).first().waitFor()
    },
  },
  {
    name: 'voice-result',
    path: VOICE_PATH,
    then: async (page) => {
      await say(page, SENTENCE)
      await page.getByRole('button', { name: 'Use This Data' }).first().waitFor()
    },
  },
  {
    name: 'voice-several',
    path: VOICE_PATH,
    then: async (page) => {
      await say(page, `${SENTENCE}, and Olivia had fifty minutes of chess with somebody on Monday`)
      await page.getByRole('button', { name: 'Use This Data' }).first().waitFor()
    },
  },
]

/** Parts of both sides' screens that the generic openers can't open. */
const OPENED: Screen[] = [
  {
    name: 'session',
    path: '/summary',
    then: async (page) => {
      await page.locator('main a[href*="session="]').filter({ visible: true }).first().click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'find',
    path: '/dashboard',
    then: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'shortcuts',
    path: '/dashboard',
    then: async (page) => {
      await page.keyboard.press('?')
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'form-with-errors',
    path: '/add-session',
    then: async (page) => {
      // All other fields in the form keep their values.
      await page.getByLabel('Date').fill('')
      await press(/^Add Session$/)(page)
      await page.locator('[aria-invalid=true]').first().waitFor()
    },
  },
]

/** Screens for parents and tutors. If there's no data, only those that work without any. */
export function ownScreens(role: 'parent' | 'tutor', data: State['data'], more: string[]): Screen[] {
  const paths = role === 'parent' ? [...PARENT, '/to-confirm'] : TUTOR
  const opened = data === 'full' ? [...OPENED, ...(role === 'parent' ? VOICE : [])] : []
  return [...screensOf([...paths, ...more]), ...opened]
}

export const VISITOR: Screen[] = [
  // The message about a used link isn't shown until the page that handles links has run, so paths with that
  // message are left out here. It's captured separately, as 'used-link'.
  ...screensOf([...PUBLIC.filter((path) => !path.includes('link=')), '/demo', '/confirm-email']),
  { name: 'used-link', path: `/verify-email#token=${'x'.repeat(43)}` },
  { name: 'signup-role', path: '/signup', then: toSecondStep },
  { name: 'signup-with-errors', path: '/signup', then: press(/^Continue$/) },
  { name: 'login-with-errors', path: '/login', then: press(/^Sign In$/) },
]

async function toSecondStep(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('dana@example.com')
  await page.getByLabel('Password', { exact: true }).fill('greenhouse-41')
  await page.getByLabel('Confirm password').fill('greenhouse-41')
  await press(/^Continue$/)(page)
  await page.getByRole('heading', { name: 'Who are you here as?' }).waitFor()
}

export const ADMIN_SCREENS = screensOf(ADMIN)

/** Caregivers don't see amounts. If they open a page they don't have access to, the page tells them why. */
export const CAREGIVER_SCREENS = screensOf([
  '/dashboard',
  '/add-session',
  '/summary',
  '/children',
  '/tutors',
  '/schedules',
  '/payments',
  '/account',
])

/** The emailed page, for people without an account. `token` is the secret part of its link. */
export function emailedScreens(token: string): Screen[] {
  const path = `/confirm#${token}`
  const open = (name: string, button: RegExp): Screen => ({ name, path, then: press(button) })
  return [
    { name: 'page', path },
    open('not-right', /^Not right/),
    open('summary', /^Add a summary/),
    open('paid', /^I (paid|was paid)$/),
    open('not-received', /^Not (received|paid), /),
  ]
}

/** The emailed page with a month that the other side asked to close. */
export const agreedScreens = (token: string): Screen[] => [{ name: 'closing', path: `/confirm#${token}` }]

/** The emailed page when there's nothing left to answer. `see` opens the closed month's page. */
export function answeredScreens(token: string): Screen[] {
  const path = `/confirm#${token}`
  return [
    { name: 'answered', path },
    {
      name: 'answered-month',
      path,
      then: (page) => page.getByText('See the page').first().click(),
    },
  ]
}
