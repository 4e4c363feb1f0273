// Messages on a device. No push service is asked in a journey: the browser's subscription is replaced by one at a local
// service that checks what the server sends, and the browser's developer tools deliver what arrived there.
import { type BrowserContext, type CDPSession, expect, type Page, type Worker } from '@playwright/test'
import { PushService } from '../src/main/testing/push-service.server.ts'
import type { PushMessage } from '../src/platform/push/push-message.ts'
import { test } from './journey.ts'
import { mayaWithIngrid } from './pairs.ts'
import { arrive } from './people.ts'
import { dayFromToday, post, settled } from './screens.ts'
import { runServer } from './server.ts'

test.use({ serviceWorkers: 'allow', baseURL: 'http://localhost:4184' })
test.describe.configure({ mode: 'default' })

let service: PushService
let server: Awaited<ReturnType<typeof runServer>>
test.beforeAll(async () => {
  service = await new PushService().listen()
  server = await runServer('4184', { PUSH_HOSTS: service.origin })
})
test.afterAll(async () => {
  await server.stop()
  await service.stop()
})

/** Allows messages, and lets the browser subscribe at the local push service. */
async function allow(page: Page): Promise<void> {
  await page.context().grantPermissions(['notifications'])
  await page.addInitScript((subscription) => {
    // A browser without a window says 'denied', whatever was granted.
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
    const { endpoint, ...keys } = subscription
    const isOn = () => localStorage.getItem('subscribed') !== null
    const fake = {
      endpoint,
      options: {},
      toJSON: () => ({ endpoint, keys }),
      unsubscribe: async () => {
        localStorage.removeItem('subscribed')
        return true
      },
    }
    PushManager.prototype.getSubscription = async () =>
      isOn() ? (fake as unknown as PushSubscription) : null
    PushManager.prototype.subscribe = async () => {
      localStorage.setItem('subscribed', '1')
      return fake as unknown as PushSubscription
    }
  }, service.subscribe())
}

/** A family whose class yesterday nobody has logged. */
async function aClassToAnswer(page: Page): Promise<void> {
  await arrive(page)
  const { who } = await mayaWithIngrid(page)
  const day = await dayFromToday(page, -1)
  await post(page, 'schedules', {
    ...who,
    day_of_week: new Date(day).getUTCDay(),
    start_time: '10:00',
    duration: 1,
    start_date: day,
  })
}

interface Notified {
  title: string
  body: string
  actions: string[]
}

/** The parts of the service worker's scope that the journeys replace. */
interface Scope {
  registration: ServiceWorkerRegistration
  clients: { openWindow(url: string): Promise<unknown>; matchAll(options: object): Promise<unknown[]> }
  dispatchEvent(event: Event): boolean
  fetch: typeof fetch
  navigator: { setAppBadge(count: number): Promise<void> }
  /** The number on the app's icon. */
  badge: number | undefined
  /** What's shown. */
  shown: (NotificationOptions & { title: string; actions?: { title: string }[]; close(): void })[]
}

/**
 * The service worker of a page. The browser really delivers messages to it. Browsers without a window have no system to
 * show notifications, so those are kept in a list, and a tap on one is an event made here.
 */
class Phone {
  private readonly cdp: CDPSession
  private readonly registrationId: string
  private readonly worker: Worker

  private constructor(cdp: CDPSession, registrationId: string, worker: Worker) {
    this.cdp = cdp
    this.registrationId = registrationId
    this.worker = worker
  }

  static async of(page: Page, context: BrowserContext): Promise<Phone> {
    // Until it has kept the app, it's still starting, and may start once more.
    await expect.poll(() => page.evaluate(async () => Boolean(await caches.match('/dashboard')))).toBe(true)
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready
    })
    const cdp = await context.newCDPSession(page)
    const found = new Promise<string>((resolve) =>
      cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const [registration] = registrations
        if (registration) resolve(registration.registrationId)
      }),
    )
    await cdp.send('ServiceWorker.enable')
    const [worker] = context.serviceWorkers()
    if (!worker) throw new Error('no service worker')
    await worker.evaluate(() => {
      const scope = globalThis as unknown as Scope
      scope.shown = []
      // Without a window, there's no icon either, and asking for it ends the worker.
      scope.navigator.setAppBadge = async (count) => void (scope.badge = count)
      scope.registration.showNotification = async (title, options) => {
        const one = {
          title,
          ...options,
          close: () => (scope.shown = scope.shown.filter((other) => other !== one)),
        }
        scope.shown = [...scope.shown.filter(({ tag }) => tag !== one.tag), one]
      }
    })
    return new Phone(cdp, await found, worker)
  }

  async deliver(message: PushMessage): Promise<void> {
    await this.cdp.send('ServiceWorker.deliverPushMessage', {
      origin: 'http://localhost:4184',
      registrationId: this.registrationId,
      data: JSON.stringify(message),
    })
  }

  async badge(): Promise<number | undefined> {
    return this.worker.evaluate(() => (globalThis as unknown as Scope).badge)
  }

  async shown(): Promise<Notified[]> {
    return this.worker.evaluate(() =>
      (globalThis as unknown as Scope).shown.map(({ title, body = '', actions = [] }) => ({
        title,
        body,
        actions: actions.map((action) => action.title),
      })),
    )
  }

  /** How many tabs the worker knows. */
  async tabs(): Promise<number> {
    return this.worker.evaluate(async () => {
      const { clients } = globalThis as unknown as Scope
      return (await clients.matchAll({ type: 'window', includeUncontrolled: true })).length
    })
  }

  /** Taps the only notification, or one of its buttons. Resolves to what was asked of the network and the system. */
  async tap(action = ''): Promise<string[]> {
    return this.worker.evaluate(async (pressed) => {
      const scope = globalThis as unknown as Scope
      const told: string[] = []
      const real = fetch
      scope.fetch = async (input, init) => {
        const answer = await real(input, init)
        told.push(`${String(input)} ${String(init?.body)} ${answer.status}`)
        return answer
      }
      scope.clients.openWindow = async (url) => told.push(`opens ${url}`)
      await new Promise<unknown>((resolve, reject) => {
        const [notification] = scope.shown
        const waitUntil = (work: Promise<unknown>) => void work.then(resolve, reject)
        scope.dispatchEvent(
          Object.assign(new Event('notificationclick'), { notification, action: pressed, waitUntil }),
        )
        // Only a real tap may bring a window to the front.
      }).catch((error: Error) => told.push(error.name))
      scope.fetch = real
      return told
    }, action)
  }
}

test('messages are offered after the first answer, turned on with a tap, and arrive', async ({
  page,
  context,
}) => {
  await allow(page)
  await aClassToAnswer(page)
  await page.goto('/dashboard')
  await settled(page)
  await expect(page.getByRole('heading', { name: 'Did this class happen?' })).toBeVisible()
  await expect(page.getByText('Answer right after class?')).toBeHidden()
  await page.getByRole('button', { name: /^Yes, Maya/ }).click()
  const offer = page.getByRole('region', { name: 'Answer right after class?' })
  await expect(offer).toBeVisible()
  await offer.getByRole('button', { name: 'Turn on messages' }).click()
  await expect(
    page.getByText('Messages are on. You’ll be asked right here after the next class.'),
  ).toBeVisible()

  await page.goto('/account')
  const device = page.getByRole('region', { name: 'This device' })
  await expect(device.getByText('On', { exact: true })).toBeVisible()
  await expect(device.getByText(/Last delivered/)).toBeHidden()
  const names = device.getByLabel('Show names on the lock screen')
  // check() looks once, right after the click, and the box shows what is being saved only a moment later.
  await names.click()
  await expect(names).toBeChecked()
  await device.getByRole('button', { name: 'Send me one now' }).click()
  await expect(page.getByText('Message sent')).toBeVisible()
  await expect(device.getByText(/Last delivered/)).toBeVisible()
  await expect(names).toBeChecked()

  const [sent] = service.messages
  const phone = await Phone.of(page, context)
  expect(sent).toBeDefined()
  if (sent) await phone.deliver(sent.message)
  await expect
    .poll(() => phone.shown())
    .toEqual([
      {
        title: 'Messages are on',
        body: 'This is how Tutorlog asks you about a class on this device.',
        actions: [],
      },
    ])
  // The open tab goes to the page by itself.
  await page.getByRole('link', { name: 'Back to dashboard' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
  await phone.tap()
  await expect(page).toHaveURL(/\/account$/)

  await device.getByRole('button', { name: 'Turn off' }).click()
  await expect(device.getByRole('button', { name: 'Turn on messages' })).toBeVisible()
})

test('a message has Yes and No, which answer without opening the app, and say if that failed', async ({
  page,
  context,
}) => {
  await allow(page)
  await arrive(page)
  await page.goto('/dashboard')
  await settled(page)
  const phone = await Phone.of(page, context)
  const navigate = 'http://localhost:4184/dashboard'
  const { endpoint } = service.subscribe()
  const question = (path: `/api/${string}`): PushMessage => ({
    web_push: 8030,
    notification: {
      title: 'Did the class happen?',
      body: 'Yesterday at 10:00 AM',
      navigate,
      lang: 'en',
      tag: 'class',
      icon: 'http://localhost:4184/icons/icon-192.png',
      actions: [
        { action: '0', title: 'Yes', navigate },
        { action: '1', title: 'No', navigate },
      ],
      data: {
        answers: [
          { path, input: { endpoint } },
          { path, input: { endpoint: 'no' } },
        ],
      },
    },
    app_badge: 1,
  })
  const asked = { title: 'Did the class happen?', body: 'Yesterday at 10:00 AM', actions: ['Yes', 'No'] }
  // This operation takes a secret and no login, like an answer.
  await phone.deliver(question('/api/v1/push/used'))
  await expect.poll(() => phone.shown()).toEqual([asked])
  expect(await phone.badge()).toBe(1)
  expect(await phone.tap('1')).toEqual(['/api/v1/push/used {"endpoint":"no"} 204'])
  expect(await phone.shown()).toEqual([])

  await phone.deliver(question('/api/v1/nothing'))
  await expect.poll(() => phone.shown()).toEqual([asked])
  expect(await phone.tap('0')).toEqual([expect.stringMatching(/^\/api\/v1\/nothing .* 404$/)])
  expect(await phone.shown()).toEqual([
    { title: 'Your answer wasn’t saved', body: 'Tap to answer in the app.', actions: [] },
  ])

  // A refusal says what's the matter.
  await context.route('**/api/questions/answer', (route) =>
    route.fulfill({ status: 409, json: { title: 'This class was already answered.' } }),
  )
  await phone.deliver(question('/api/questions/answer'))
  await expect.poll(() => phone.shown()).toEqual([asked])
  await phone.tap('0')
  expect(await phone.shown()).toEqual([
    { title: 'Your answer wasn’t saved', body: 'This class was already answered.', actions: [] },
  ])

  // Without an open tab, a tap opens the page.
  await page.goto('about:blank')
  await expect.poll(() => phone.tabs()).toBe(0)
  expect(await phone.tap()).toEqual([`opens ${navigate}`])
})

test('an offer that was dismissed never comes back', async ({ page }) => {
  await allow(page)
  await aClassToAnswer(page)
  await page.goto('/dashboard')
  await settled(page)
  await page.getByRole('button', { name: /^Yes, Maya/ }).click()
  await page.getByRole('button', { name: 'Dismiss messages' }).click()
  await expect(page.getByText('Answer right after class?')).toBeHidden()
  await page.getByRole('button', { name: /^Undo, Maya/ }).click()
  await page.getByRole('button', { name: /^Yes, Maya/ }).click()
  await expect(page.getByText('Logged')).toBeVisible()
  await page.goto('/account')
  await expect(page.getByRole('region', { name: 'This device' })).toBeVisible()
  await page.goto('/dashboard')
  await settled(page)
  await expect(page.getByText('Answer right after class?')).toBeHidden()
})
