// A stand-in for the payment provider. It speaks Stripe's HTTP protocol: customers, prices, hosted checkout
// and portal, subscriptions, and signed webhook calls (notices). Everything is kept in memory, and tests
// decide when a notice is sent.
import { createHmac, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Thing {
  id: string
  object: string
  [field: string]: unknown
}

/** A webhook call's body and signature. */
export interface Notice {
  body: string
  signature: string
}

const SECRET = 'whsec_stand_in'
const KEY = 'sk_test_stand_in'
const DAY_S = 86_400
const MONTH_S = 30 * DAY_S
const API_VERSION = '2026-08-26.dahlia'

/**
 * Starts the provider on a free port.
 * @param now the clock for its subscriptions
 */
export async function startStripeStandIn(now: () => Date = () => new Date()): Promise<StandIn> {
  const standIn = new StandIn(now)
  await standIn.start()
  return standIn
}

export class StandIn {
  url = ''
  /** Settings that make a server use this provider. */
  settings: Record<string, string> = {}
  readonly things = new Map<string, Thing>()
  /** The API calls so far, as "METHOD /path". */
  readonly calls: string[] = []
  /** If true, every request gets a 503, as in an outage. */
  isAway = false
  /** Calls that contain this text are processed, but the connection is cut before a response is sent. */
  losesAnswerTo: string | undefined
  /** Notices that haven't been sent, because `notify` isn't set. */
  readonly waiting: Notice[] = []
  /** The URL to send notices to right away. If it isn't set, they collect in `waiting`. */
  notify: string | undefined
  readonly #answers = new Map<string, { status: number; body: unknown; asked: string }>()
  readonly #now: () => Date
  readonly #server = createServer((request, response) => {
    void this.#serve(request, response).catch((error: unknown) => refuse(response, error))
  })

  constructor(now: () => Date) {
    this.#now = now
    this.#price('price_month', 'month', 600)
    this.#price('price_year', 'year', 6000)
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.url = `http://localhost:${(this.#server.address() as AddressInfo).port}`
    this.settings = {
      STRIPE_SECRET_KEY: KEY,
      STRIPE_WEBHOOK_SECRET: SECRET,
      STRIPE_PRICE_MONTHLY: 'price_month',
      STRIPE_PRICE_YEARLY: 'price_year',
      STRIPE_API_URL: this.url,
    }
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.closeAllConnections()
      this.#server.close(() => resolve())
    })
  }

  /** Pays on a checkout page, as if someone had clicked the page's button. */
  async pay(checkoutUrl: string): Promise<void> {
    const answer = await fetch(`${checkoutUrl}/pay`, { method: 'POST', redirect: 'manual' })
    if (answer.status !== 303) throw new Error(`the checkout page answered ${answer.status}`)
  }

  /**
   * Signs a body as the provider would.
   * @param at Unix time in seconds
   */
  sign(body: string, at = this.#seconds()): Notice {
    const signature = createHmac('sha256', SECRET).update(`${at}.${body}`).digest('hex')
    return { body, signature: `t=${at},v1=${signature}` }
  }

  /** Changes a subscription at the provider, and creates a notice about it. */
  async change(
    id: string,
    fields: Record<string, unknown>,
    event = 'customer.subscription.updated',
  ): Promise<void> {
    await this.#announce(event, this.#keep({ ...this.#thing(id, 'subscription'), ...fields }))
  }

  #seconds(): number {
    return Math.floor(this.#now().getTime() / 1000)
  }

  #keep<T extends Thing>(thing: T): T {
    this.things.set(thing.id, thing)
    return thing
  }

  #price(id: string, interval: string, amount: number): void {
    const recurring = { interval, interval_count: 1 }
    this.#keep({ id, object: 'price', currency: 'usd', unit_amount: amount, recurring, active: true })
  }

  #thing(id: string, object: string): Thing {
    const found = this.things.get(id)
    if (!found || found.object !== object)
      throw new Refused(404, 'resource_missing', `No such ${object}: '${id}'`)
    return found
  }

  #all(object: string, where: (candidate: Thing) => boolean) {
    const data = [...this.things.values()].filter(
      (candidate) => candidate.object === object && where(candidate),
    )
    return { object: 'list', has_more: false, url: '/v1/list', data }
  }

  async #announce(type: string, object: Thing): Promise<void> {
    const event = {
      id: newId('evt'),
      object: 'event',
      api_version: API_VERSION,
      created: this.#seconds(),
      type,
      livemode: false,
      data: { object },
    }
    const notice = this.sign(JSON.stringify(event, null, 2))
    if (!this.notify) {
      this.waiting.push(notice)
      return
    }
    const answer = await fetch(this.notify, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': notice.signature },
      body: notice.body,
    })
    if (!answer.ok) this.waiting.push(notice)
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const method = request.method ?? 'GET'
    const body = await textOf(request)
    if (this.isAway) throw new Refused(503, 'api_error', 'The stand-in is unavailable')
    if (!url.pathname.startsWith('/v1/')) return this.#page(method, url.pathname, response)
    this.calls.push(`${method} ${url.pathname}`)
    if (request.headers.authorization !== `Bearer ${KEY}`)
      throw new Refused(401, 'api_key_invalid', 'Invalid API Key provided')
    if (method === 'POST' && body && request.headers['content-type'] !== 'application/x-www-form-urlencoded')
      throw new Refused(400, 'unsupported', 'Send a form')
    const key = request.headers['idempotency-key']
    const replay = typeof key === 'string' && method === 'POST' ? `${url.pathname} ${key}` : undefined
    const known = replay ? this.#answers.get(replay) : undefined
    if (known && known.asked !== body)
      throw new Refused(
        400,
        'idempotency_key_in_use',
        'Keys for idempotent requests can only be used with the same parameters they were first used with.',
      )
    const answer = known ?? {
      status: 200,
      body: await this.#api(method, url.pathname, new URLSearchParams(method === 'GET' ? url.search : body)),
      asked: body,
    }
    if (replay) this.#answers.set(replay, answer)
    if (this.losesAnswerTo && `${method} ${url.pathname} ${body}`.includes(this.losesAnswerTo))
      return void response.destroy()
    send(response, answer.status, answer.body)
  }

  #api(method: string, path: string, fields: URLSearchParams): unknown {
    const [, , kind = '', id = '', action = ''] = path.split('/')
    const customer = fields.get('customer') ?? ''
    switch (`${method} ${kind}`) {
      case 'POST customers':
        if (id !== '') break
        return this.#keep({
          id: newId('cus'),
          object: 'customer',
          email: fields.get('email'),
          metadata: groupOf(fields, 'metadata'),
        })
      case 'DELETE customers':
        return this.#removeCustomer(id)
      case 'GET prices':
        return this.#thing(id, 'price')
      case 'POST checkout':
        return action === ''
          ? this.#openCheckout(customer, fields)
          : this.#keep({ ...this.#thing(action, 'checkout.session'), status: 'expired' })
      case 'GET checkout':
        return this.#all(
          'checkout.session',
          (one) => one.customer === customer && one.status === fields.get('status'),
        )
      case 'GET subscriptions':
        return id === ''
          ? this.#all(
              'subscription',
              (one) =>
                one.customer === customer && (fields.get('status') === 'all' || one.status !== 'canceled'),
            )
          : this.#thing(id, 'subscription')
      case 'POST subscriptions':
        return this.#update(id, fields)
      case 'POST billing_portal':
        return this.#openPortal(customer, fields)
    }
    throw new Refused(404, 'unknown_route', `Unrecognized request URL (${method}: ${path})`)
  }

  async #removeCustomer(id: string) {
    this.#thing(id, 'customer')
    this.things.delete(id)
    for (const subscription of this.#all('subscription', (one) => one.customer === id).data)
      await this.change(subscription.id, { status: 'canceled' }, 'customer.subscription.deleted')
    return { id, object: 'customer', deleted: true }
  }

  #openCheckout(customer: string, fields: URLSearchParams): Thing {
    this.#thing(customer, 'customer')
    const paidFor = this.#thing(fields.get('line_items[0][price]') ?? '', 'price')
    if (fields.get('mode') !== 'subscription') throw new Refused(400, 'parameter_missing', 'mode')
    const trialEnd = Number(fields.get('subscription_data[trial_end]')) || null
    if (trialEnd && trialEnd < this.#seconds() + 2 * DAY_S)
      throw new Refused(
        400,
        'parameter_invalid_integer',
        'The trial_end date has to be at least 2 days in the future.',
      )
    const id = newId('cs_test')
    return this.#keep({
      id,
      object: 'checkout.session',
      mode: 'subscription',
      status: 'open',
      customer,
      url: `${this.url}/c/pay/${id}`,
      success_url: fields.get('success_url'),
      cancel_url: fields.get('cancel_url'),
      client_reference_id: fields.get('client_reference_id'),
      price: paidFor.id,
      trial_end: trialEnd,
      metadata: groupOf(fields, 'subscription_data[metadata]'),
    })
  }

  #openPortal(customer: string, fields: URLSearchParams): Thing {
    this.#thing(customer, 'customer')
    const id = newId('bps')
    return this.#keep({
      id,
      object: 'billing_portal.session',
      customer,
      url: `${this.url}/p/session/${id}`,
      return_url: fields.get('return_url'),
    })
  }

  /** Changes a subscription. If the end of the trial moves, so does the end of the current period. */
  async #update(id: string, fields: URLSearchParams): Promise<Thing> {
    const subscription = this.#thing(id, 'subscription')
    const wish = fields.get('cancel_at_period_end')
    const trialEnd = Number(fields.get('trial_end'))
    if (trialEnd && (trialEnd <= this.#seconds() || trialEnd > this.#seconds() + 730 * DAY_S))
      throw new Refused(
        400,
        'parameter_invalid_integer',
        'The trial_end date has to be in the future and within two years.',
      )
    const items = subscription.items as { data: Record<string, unknown>[] }
    await this.change(id, {
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
    })
    return this.#thing(id, 'subscription')
  }

  /** The provider's hosted pages. */
  async #page(method: string, path: string, response: ServerResponse): Promise<void> {
    const [, kind = '', , id = '', action = ''] = path.split('/')
    const isCheckout = kind === 'c'
    const session = this.#thing(id, isCheckout ? 'checkout.session' : 'billing_portal.session')
    const back = String(isCheckout ? session.success_url : session.return_url)
    if (method === 'GET') {
      if (isCheckout && session.status !== 'open')
        return void response.writeHead(410).end('This page has expired.')
      const page = isCheckout
        ? pageOf('Checkout', `${path}/pay`, 'Pay and subscribe', String(session.cancel_url))
        : pageOf('Billing portal', `${path}/cancel`, 'Cancel plan', back)
      return void response.writeHead(200, { 'content-type': 'text/html' }).end(page)
    }
    if (action === 'pay' && session.status === 'open') await this.#subscribe(session)
    if (action === 'cancel')
      for (const one of this.#all('subscription', ({ customer }) => customer === session.customer).data)
        await this.change(one.id, { cancel_at_period_end: true })
    response.writeHead(303, { location: back }).end()
  }

  async #subscribe(session: Thing): Promise<void> {
    const complete = this.#keep({ ...session, status: 'complete' })
    const paidFor = this.#thing(String(session.price), 'price')
    const isYearly = (paidFor.recurring as { interval: string }).interval === 'year'
    const trialEnd = session.trial_end as number | null
    const item = {
      id: newId('si'),
      object: 'subscription_item',
      price: paidFor,
      quantity: 1,
      current_period_start: this.#seconds(),
      current_period_end: trialEnd ?? this.#seconds() + (isYearly ? 365 * DAY_S : MONTH_S),
    }
    const subscription = this.#keep({
      id: newId('sub'),
      object: 'subscription',
      customer: session.customer,
      status: trialEnd ? 'trialing' : 'active',
      cancel_at_period_end: false,
      cancel_at: null,
      metadata: session.metadata,
      items: { object: 'list', data: [item] },
    })
    await this.#announce('customer.subscription.created', subscription)
    await this.#announce('checkout.session.completed', { ...complete, subscription: subscription.id })
  }
}

function newId(prefix: string): string {
  return `${prefix}_${randomBytes(9).toString('hex')}`
}

function pageOf(title: string, action: string, label: string, back: string): string {
  const form = `<form method="post" action="${action}"><button>${label}</button></form>`
  return `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1>${form}<a href="${back}">Back</a>`
}

function refuse(response: ServerResponse, error: unknown): void {
  const refused = error instanceof Refused ? error : new Refused(500, 'api_error', String(error))
  send(response, refused.status, {
    error: {
      type: refused.status >= 500 ? 'api_error' : 'invalid_request_error',
      code: refused.code,
      message: refused.message,
    },
  })
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
      'stripe-version': API_VERSION,
    })
    .end(JSON.stringify(body))
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
