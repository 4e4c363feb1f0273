// A payment provider for tests that speaks Stripe's HTTP protocol: customers, prices, hosted checkout and portal,
// subscriptions, and signed webhooks (notices). It keeps everything in memory, and tests decide when a notice is sent.
import { createHmac, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Thing {
  id: string
  object: string
  [field: string]: unknown
}

/** A webhook request as the server receives it. */
export interface Notice {
  body: string
  signature: string
}

export interface StandIn {
  url: string
  /** Settings that make a server use it. */
  settings: Record<string, string>
  things: Map<string, Thing>
  /** API calls so far, as "METHOD /path". */
  calls: string[]
  /** Answers every request with 503, as in an outage. */
  isAway: boolean
  /** Handles a call that contains this text, but cuts the connection instead of answering. */
  losesAnswerTo: string | undefined
  /** Notices not sent because `notify` wasn't set. */
  waiting: Notice[]
  /** The URL that notices are sent to right away; if unset, they collect in `waiting`. */
  notify: string | undefined
  /** Pays on a checkout page, as its button would. */
  pay(checkoutUrl: string): Promise<void>
  /**
   * Signs a body as the provider would.
   * @param at seconds since 1970
   */
  sign(body: string, at?: number): Notice
  /** Changes a subscription at the provider and creates the notice about it. */
  change(subscription: string, fields: Record<string, unknown>, event?: string): Promise<void>
  stop(): Promise<void>
}

const SECRET = 'whsec_stand_in'
const KEY = 'sk_test_stand_in'
const MONTH_S = 30 * 86_400

/**
 * Starts the stand-in on a free port.
 * @param now the clock for its subscriptions
 */
export async function startStripeStandIn(now: () => Date = () => new Date()): Promise<StandIn> {
  const things = new Map<string, Thing>()
  const answers = new Map<string, { status: number; body: unknown; asked: string }>()
  const seconds = () => Math.floor(now().getTime() / 1000)
  const newId = (prefix: string) => `${prefix}_${randomBytes(9).toString('hex')}`
  const keep = <T extends Thing>(thing: T): T => {
    things.set(thing.id, thing)
    return thing
  }
  const price = (id: string, interval: string, amount: number) =>
    keep({
      id,
      object: 'price',
      currency: 'usd',
      unit_amount: amount,
      recurring: { interval, interval_count: 1 },
      active: true,
    })
  price('price_month', 'month', 600)
  price('price_year', 'year', 6000)

  const standIn: StandIn = {
    url: '',
    settings: {},
    things,
    calls: [],
    isAway: false,
    losesAnswerTo: undefined,
    waiting: [],
    notify: undefined,
    async pay(checkoutUrl) {
      const answer = await fetch(`${checkoutUrl}/pay`, { method: 'POST', redirect: 'manual' })
      if (answer.status !== 303) throw new Error(`the checkout page answered ${answer.status}`)
    },
    sign(body, at = seconds()) {
      return {
        body,
        signature: `t=${at},v1=${createHmac('sha256', SECRET).update(`${at}.${body}`).digest('hex')}`,
      }
    },
    async change(id, fields, event = 'customer.subscription.updated') {
      await announce(event, keep({ ...thing(id, 'subscription'), ...fields }))
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }

  async function announce(type: string, object: Thing): Promise<void> {
    const body = JSON.stringify(
      {
        id: newId('evt'),
        object: 'event',
        api_version: '2026-08-26.dahlia',
        created: seconds(),
        type,
        livemode: false,
        data: { object },
      },
      null,
      2,
    )
    const notice = standIn.sign(body)
    if (!standIn.notify) {
      standIn.waiting.push(notice)
      return
    }
    const answer = await fetch(standIn.notify, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': notice.signature },
      body,
    })
    if (!answer.ok) standIn.waiting.push(notice)
  }

  function thing(id: string, object: string): Thing {
    const found = things.get(id)
    if (!found || found.object !== object)
      throw new Refused(404, 'resource_missing', `No such ${object}: '${id}'`)
    return found
  }
  const all = (object: string, where: (candidate: Thing) => boolean) => ({
    object: 'list',
    has_more: false,
    url: '/v1/list',
    data: [...things.values()].filter((candidate) => candidate.object === object && where(candidate)),
  })

  async function api(method: string, path: string, fields: URLSearchParams): Promise<unknown> {
    const [, , kind = '', id = '', action = ''] = path.split('/')
    const customer = fields.get('customer')
    if (method === 'POST' && path === '/v1/customers')
      return keep({
        id: newId('cus'),
        object: 'customer',
        email: fields.get('email'),
        metadata: groupOf(fields, 'metadata'),
      })
    if (method === 'DELETE' && kind === 'customers') {
      thing(id, 'customer')
      things.delete(id)
      for (const subscription of all('subscription', (one) => one.customer === id).data)
        await standIn.change(subscription.id, { status: 'canceled' }, 'customer.subscription.deleted')
      return { id, object: 'customer', deleted: true }
    }
    if (method === 'GET' && kind === 'prices') return thing(id, 'price')
    if (kind === 'checkout' && method === 'POST' && action === '') {
      thing(customer ?? '', 'customer')
      const paidFor = thing(fields.get('line_items[0][price]') ?? '', 'price')
      if (fields.get('mode') !== 'subscription') throw new Refused(400, 'parameter_missing', 'mode')
      const trialEnd = Number(fields.get('subscription_data[trial_end]')) || null
      if (trialEnd && trialEnd < seconds() + 2 * 86_400)
        throw new Refused(
          400,
          'parameter_invalid_integer',
          'The trial_end date has to be at least 2 days in the future.',
        )
      const session = newId('cs_test')
      return keep({
        id: session,
        object: 'checkout.session',
        mode: 'subscription',
        status: 'open',
        customer,
        url: `${standIn.url}/c/pay/${session}`,
        success_url: fields.get('success_url'),
        cancel_url: fields.get('cancel_url'),
        client_reference_id: fields.get('client_reference_id'),
        price: paidFor.id,
        trial_end: trialEnd,
        metadata: groupOf(fields, 'subscription_data[metadata]'),
      })
    }
    if (kind === 'checkout' && method === 'GET')
      return all(
        'checkout.session',
        (one) => one.customer === customer && one.status === fields.get('status'),
      )
    if (kind === 'checkout' && path.endsWith('/expire'))
      return keep({ ...thing(path.split('/')[4] ?? '', 'checkout.session'), status: 'expired' })
    if (kind === 'subscriptions' && method === 'GET' && id === '')
      return all(
        'subscription',
        (one) => one.customer === customer && (fields.get('status') === 'all' || one.status !== 'canceled'),
      )
    if (kind === 'subscriptions' && method === 'GET') return thing(id, 'subscription')
    if (kind === 'subscriptions' && method === 'POST') {
      await standIn.change(id, updated(thing(id, 'subscription'), fields))
      return thing(id, 'subscription')
    }
    if (kind === 'billing_portal' && method === 'POST') {
      thing(customer ?? '', 'customer')
      const session = newId('bps')
      return keep({
        id: session,
        object: 'billing_portal.session',
        customer,
        url: `${standIn.url}/p/session/${session}`,
        return_url: fields.get('return_url'),
      })
    }
    throw new Refused(404, 'unknown_route', `Unrecognized request URL (${method}: ${path})`)
  }

  /** A subscription with the requested changes. Moving the end of the trial moves the end of the current period too. */
  function updated(subscription: Thing, fields: URLSearchParams): Record<string, unknown> {
    const wish = fields.get('cancel_at_period_end')
    const trialEnd = Number(fields.get('trial_end'))
    if (trialEnd && (trialEnd <= seconds() || trialEnd > seconds() + 730 * 86_400))
      throw new Refused(
        400,
        'parameter_invalid_integer',
        'The trial_end date has to be in the future and within two years.',
      )
    const items = subscription.items as { data: Record<string, unknown>[] }
    return {
      ...(wish === null ? {} : { cancel_at_period_end: wish === 'true' }),
      metadata: { ...(subscription.metadata as object), ...groupOf(fields, 'metadata') },
      ...(trialEnd
        ? {
            status: 'trialing',
            trial_end: trialEnd,
            proration: fields.get('proration_behavior') ?? 'create_prorations',
            items: { ...items, data: items.data.map((item) => ({ ...item, current_period_end: trialEnd })) },
          }
        : {}),
    }
  }

  /** The provider's hosted pages. */
  async function page(method: string, path: string, response: ServerResponse): Promise<void> {
    const [, kind = '', , id = '', action = ''] = path.split('/')
    const session = thing(id, kind === 'c' ? 'checkout.session' : 'billing_portal.session')
    const back = String(kind === 'c' ? session.success_url : session.return_url)
    if (method === 'GET') {
      if (kind === 'c' && session.status !== 'open')
        return void response.writeHead(410).end('This page has expired.')
      const [title, button, label] =
        kind === 'c' ? ['Checkout', 'pay', 'Pay and subscribe'] : ['Billing portal', 'cancel', 'Cancel plan']
      return void response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(
          `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><form method="post" action="${path}/${button}"><button>${label}</button></form><a href="${kind === 'c' ? String(session.cancel_url) : back}">Back</a>`,
        )
    }
    if (action === 'pay' && session.status === 'open') {
      keep({ ...session, status: 'complete' })
      const paidFor = thing(String(session.price), 'price')
      const length = (paidFor.recurring as { interval: string }).interval === 'year' ? 365 * 86_400 : MONTH_S
      const trialEnd = session.trial_end as number | null
      const subscription = keep({
        id: newId('sub'),
        object: 'subscription',
        customer: session.customer,
        status: trialEnd ? 'trialing' : 'active',
        cancel_at_period_end: false,
        cancel_at: null,
        metadata: session.metadata,
        items: {
          object: 'list',
          data: [
            {
              id: newId('si'),
              object: 'subscription_item',
              price: paidFor,
              quantity: 1,
              current_period_start: seconds(),
              current_period_end: trialEnd ?? seconds() + length,
            },
          ],
        },
      })
      await announce('customer.subscription.created', subscription)
      await announce('checkout.session.completed', {
        ...thing(id, 'checkout.session'),
        subscription: subscription.id,
      })
    }
    if (action === 'cancel')
      for (const one of all('subscription', (candidate) => candidate.customer === session.customer).data)
        await standIn.change(one.id, { cancel_at_period_end: true })
    response.writeHead(303, { location: back }).end()
  }

  const server = createServer((request, response) => {
    void serve(request, response).catch((error: unknown) => {
      const refused = error instanceof Refused ? error : new Refused(500, 'api_error', String(error))
      send(response, refused.status, {
        error: {
          type: refused.status >= 500 ? 'api_error' : 'invalid_request_error',
          code: refused.code,
          message: refused.message,
        },
      })
    })
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const method = request.method ?? 'GET'
    const body = await textOf(request)
    if (standIn.isAway) throw new Refused(503, 'api_error', 'The stand-in is away')
    if (!url.pathname.startsWith('/v1/')) return page(method, url.pathname, response)
    standIn.calls.push(`${method} ${url.pathname}`)
    if (request.headers.authorization !== `Bearer ${KEY}`)
      throw new Refused(401, 'api_key_invalid', 'Invalid API Key provided')
    if (method === 'POST' && body && request.headers['content-type'] !== 'application/x-www-form-urlencoded')
      throw new Refused(400, 'unsupported', 'Send a form')
    const key = request.headers['idempotency-key']
    const replay = typeof key === 'string' && method === 'POST' ? `${url.pathname} ${key}` : undefined
    const known = replay ? answers.get(replay) : undefined
    if (known && known.asked !== body)
      throw new Refused(
        400,
        'idempotency_key_in_use',
        'Keys for idempotent requests can only be used with the same parameters they were first used with.',
      )
    const answer = known ?? {
      status: 200,
      body: await api(method, url.pathname, new URLSearchParams(method === 'GET' ? url.search : body)),
      asked: body,
    }
    if (replay) answers.set(replay, answer)
    if (standIn.losesAnswerTo && `${method} ${url.pathname} ${body}`.includes(standIn.losesAnswerTo))
      return void response.destroy()
    send(response, answer.status, answer.body)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  standIn.url = `http://localhost:${(server.address() as AddressInfo).port}`
  standIn.settings = {
    STRIPE_SECRET_KEY: KEY,
    STRIPE_WEBHOOK_SECRET: SECRET,
    STRIPE_PRICE_MONTHLY: 'price_month',
    STRIPE_PRICE_YEARLY: 'price_year',
    STRIPE_API_URL: standIn.url,
  }
  return standIn
}

class Refused extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

function groupOf(fields: URLSearchParams, name: string): Record<string, string> {
  return Object.fromEntries(
    [...fields].flatMap(([key, value]) =>
      key.startsWith(`${name}[`) ? [[key.slice(name.length + 1, -1), value]] : [],
    ),
  )
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response
    .writeHead(status, {
      'content-type': 'application/json',
      'request-id': 'req_stand_in',
      'stripe-version': '2026-08-26.dahlia',
    })
    .end(JSON.stringify(body))
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
