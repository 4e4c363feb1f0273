import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type Notice, type StandIn, startStripeStandIn } from '#main/testing/stripe.server.ts'
import { until } from '#main/testing/process.server.ts'
import { type Caller, PASSWORD, startTestServer, type TestServer } from '#main/testing.server.ts'
import { retryFailed } from '#platform/jobs/waiting.server.ts'

let server: TestServer
let stripe: StandIn
const start = Date.now()

before(async () => {
  stripe = await startStripeStandIn(() => server.clock.now)
  server = await startTestServer(stripe.settings)
})
after(async () => {
  await server.stop()
  await stripe.stop()
})
beforeEach(() => {
  server.clock.now = new Date(start)
  stripe.isAway = false
  stripe.losesAnswerTo = undefined
  stripe.waiting.length = 0
})

const days = (count: number) => {
  server.clock.now = new Date(server.clock.now.getTime() + count * 86_400_000)
}
const write = (user: Caller) => user.call('POST', '/api/v1/students', { name: 'Maya' })
const plan = async (user: Caller) =>
  (await user.call('GET', '/api/v1/billing')).body as unknown as {
    state: string
    can_write: boolean
    subscription: { interval: string; amount: number; cancels_at_period_end: boolean } | null
  }

/** Signs in again, because a login expires before the trial does. */
async function signInAgain(user: Caller): Promise<void> {
  await user.call('POST', '/api/auth/sign-in', { email: user.email, password: 'greenhouse-41' })
}

async function deliver(notice: Notice, more: Record<string, string> = {}): Promise<number> {
  return (
    await server.app.inject({
      method: 'POST',
      url: '/api/webhooks/stripe',
      payload: notice.body,
      headers: { 'content-type': 'application/json', 'stripe-signature': notice.signature, ...more },
    })
  ).statusCode
}

/** Waits until the background job queued by a webhook is done. */
async function waitUntil(holds: () => Promise<boolean>): Promise<void> {
  await until('what the webhook queued is done', holds)
}

async function aSubscriber(interval = 'month', afterDays = 46): Promise<Caller> {
  const user = await server.aUser()
  days(afterDays)
  await signInAgain(user)
  const { body } = await user.call('POST', '/api/v1/billing/checkout', { interval })
  await stripe.pay(String(body.url))
  for (const notice of stripe.waiting.splice(0)) assert.equal(await deliver(notice), 200)
  await waitUntil(async () => (await plan(user)).state === 'subscribed')
  return user
}

const subscriptionOf = (user: Caller) =>
  [...stripe.things.values()].find(
    (thing) => thing.object === 'subscription' && (thing.metadata as { owner: string }).owner === user.id,
  )?.id ?? ''

test('D11: after 45 days, writes are answered 402; reading, export, deletion, sign-out and the account page still work', async () => {
  const user = await server.aUser()
  assert.equal((await write(user)).status, 201)
  days(44)
  await signInAgain(user)
  assert.equal((await write(user)).status, 201)
  days(1.1)
  await signInAgain(user)
  const refused = await write(user)
  assert.deepEqual([refused.status, refused.body.code], [402, 'subscription_required'])
  assert.equal((await user.call('GET', '/api/v1/students')).status, 200)
  assert.equal((await user.call('PATCH', '/api/v1/me', { full_name: 'Dana' })).status, 200)
  assert.equal((await user.call('GET', '/api/v1/devices')).status, 200)
  assert.equal((await plan(user)).state, 'ended')
  assert.equal((await user.call('POST', '/api/auth/sign-out', {})).status, 204)
})

test("D11: for every member of a family, the owner's plan counts, never their own", async () => {
  const owner = await server.aUser()
  const member = await server.aUser()
  days(20)
  await server.db.asSystem(async (tx) => {
    await tx.updateTable('users').set({ trial_since: server.clock.now }).where('id', '=', member.id).execute()
    await tx
      .insertInto('members')
      .values({ workspace_id: owner.member.workspaceId, account_id: member.id, role: 'parent' })
      .execute()
  })
  const inFamily = () =>
    member.call('POST', '/api/v1/students', { name: 'Maya' }, { 'tutorlog-workspace': owner.id })
  days(26)
  await signInAgain(member)
  const refused = await inFamily()
  assert.deepEqual(
    [refused.status, refused.body.title],
    [402, "The owner's free trial is over. Ask the owner to choose a plan."],
  )
  assert.equal((await write(member)).status, 201, 'their own trial runs on in their own family')

  await signInAgain(owner)
  const { body } = await owner.call('POST', '/api/v1/billing/checkout', { interval: 'month' })
  await stripe.pay(String(body.url))
  for (const notice of stripe.waiting.splice(0)) assert.equal(await deliver(notice), 200)
  await waitUntil(async () => (await plan(owner)).state === 'subscribed')
  days(20)
  await signInAgain(member)
  assert.equal((await write(member)).status, 402)
  assert.equal((await inFamily()).status, 201)
})

test('D11: every operation that writes needs a plan, except account, leaving and joining, billing, export and deletion', async () => {
  const user = await server.aUser()
  days(46)
  await signInAgain(user)
  const document = (await user.call('GET', '/api/openapi.json')).body as unknown as {
    paths: Record<string, Record<string, { 'x-roles': unknown; responses: Record<string, unknown> }>>
  }
  const free: string[] = []
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const roles = operation['x-roles']
      if (method === 'get' || roles === 'anyone' || roles === 'signed-in') continue
      // An emailed link has no plan.
      if (Array.isArray(roles) && roles.every((role) => role === 'link')) continue
      if (!operation.responses[402]) {
        free.push(path)
        continue
      }
      if (Array.isArray(roles) && !roles.includes('parent')) continue
      const answer = await user.call(
        method.toUpperCase(),
        path.replace('{id}', '00000000-0000-4000-8000-000000000000'),
        {},
      )
      assert.deepEqual([answer.status, answer.body.code], [402, 'subscription_required'], `${method} ${path}`)
    }
  }
  // Confirming and disputing sessions, payments, charges, terms and months, canceling classes, answering about a shared or an
  // offered schedule, waiving a charge, and ending a connection, don't require a plan (docs/product-decisions.md, section 4).
  const open = (
    'me devices push billing export admin calendar-feed members/{id} workspaces confirmations connections/{id} ' +
    'months/close months/sign months/reopen schedules/{id}/occurrence schedules/{id}/answer schedules/{id}/offer schedule-offers ' +
    'occurrences/end charges/{id}/waive learned-names'
  )
    .split(' ')
    .concat(
      ['sessions', 'payments', 'charges', 'terms'].flatMap((kinds) =>
        ['confirm', 'dispute', 'accept', 'keep'].map((answer) => `${kinds}/{id}/${answer}`),
      ),
    )
    .map((path) => `/api/v1/${path}`)
  assert.deepEqual(
    free.filter((path) => !open.some((one) => path === one || path.startsWith(`${one}/`))),
    [],
  )
})

test("a subscription bought at the provider allows writing again, at the provider's price", async () => {
  const user = await aSubscriber('year')
  assert.equal((await write(user)).status, 201)
  assert.deepEqual(
    await plan(user).then(({ subscription }) => [subscription?.interval, subscription?.amount]),
    ['year', 60],
  )
  assert.equal(
    (await user.call('POST', '/api/v1/billing/checkout', { interval: 'month' })).body.code,
    'subscribed',
  )
  assert.deepEqual((await user.call('GET', '/api/v1/billing/prices')).body.prices, [
    { interval: 'month', amount: 6, currency: 'USD' },
    { interval: 'year', amount: 60, currency: 'USD' },
  ])
})

test('a subscription bought during the trial is charged from the end of the trial', async () => {
  const user = await aSubscriber('month', 10)
  const subscription = stripe.things.get(subscriptionOf(user))
  assert.equal(subscription?.status, 'trialing')
  days(38)
  await signInAgain(user)
  assert.equal((await plan(user)).can_write, true)
})

test('of two open checkout pages, only the last can be paid', async () => {
  const user = await server.aUser()
  const first = String((await user.call('POST', '/api/v1/billing/checkout', { interval: 'month' })).body.url)
  const second = String((await user.call('POST', '/api/v1/billing/checkout', { interval: 'year' })).body.url)
  assert.equal((await fetch(first)).status, 410)
  assert.equal((await fetch(second)).status, 200)
  assert.equal(
    [...stripe.things.values()].filter(
      (thing) => thing.object === 'customer' && (thing.metadata as { owner: string }).owner === user.id,
    ).length,
    1,
  )
})

test('canceling takes effect at the end of the paid period, and can be undone before then', async () => {
  const user = await aSubscriber()
  const cancelled = await user.call('POST', '/api/v1/billing/cancel', {})
  assert.equal(
    (cancelled.body.subscription as { cancels_at_period_end: boolean }).cancels_at_period_end,
    true,
  )
  assert.equal((await write(user)).status, 201)
  assert.equal(
    (
      (await user.call('POST', '/api/v1/billing/resume', {})).body.subscription as {
        cancels_at_period_end: boolean
      }
    ).cancels_at_period_end,
    false,
  )
  await user.call('POST', '/api/v1/billing/cancel', {})
  days(31)
  await signInAgain(user)
  assert.equal((await write(user)).status, 402)
  assert.equal((await user.call('GET', '/api/v1/students')).status, 200)
})

test('D10: a webhook counts only if its signature matches its bytes', async () => {
  const body = JSON.stringify({
    id: 'evt_made_up',
    object: 'event',
    type: 'customer.subscription.updated',
    data: { object: { object: 'subscription', customer: 'cus_1' } },
  })
  const good = stripe.sign(body)
  const now = Math.floor(server.clock.now.getTime() / 1000)
  assert.equal(await deliver({ body, signature: '' }), 400)
  assert.equal(
    await deliver({ body, signature: good.signature.replace(/.$/, (last) => (last === '0' ? '1' : '0')) }),
    400,
  )
  assert.equal(await deliver({ body: `${body} `, signature: good.signature }), 400, 'one byte more')
  assert.equal(await deliver(stripe.sign(body, now - 301)), 400, 'signed too long ago')
  assert.equal(await deliver({ body: '{', signature: good.signature }), 400)
  assert.equal(
    (
      await server.app.inject({
        method: 'POST',
        url: '/api/webhooks/stripe',
        payload: body,
        headers: { 'content-type': 'application/json' },
      })
    ).statusCode,
    400,
  )
  assert.equal(
    await deliver(good, { origin: 'https://evil.example' }),
    200,
    'no cookie and no origin is needed',
  )
})

test("D10: a signed body that isn't a webhook is refused without an error", async () => {
  const object = { object: 'subscription', customer: 'cus_1' }
  const notice = { id: 'evt_1', object: 'event', type: 'x', data: { object } }
  for (const body of [
    ...'[]|null|7|"x"|true|{}|{"id":1}|{"data":[]}|{|'.split('|'),
    JSON.stringify({ ...notice, data: null }),
    JSON.stringify({ ...notice, data: { object: null } }),
    JSON.stringify({ ...notice, id: 'e\u0000vt' }),
    JSON.stringify({ ...notice, id: { length: { toString: 1, valueOf: 1 } } }),
    JSON.stringify({ ...notice, type: 'x'.repeat(500) }),
    JSON.stringify({ ...notice, object: 'v2.core.event' }),
  ])
    assert.equal(await deliver(stripe.sign(body)), 400, body)
  for (const customer of [null, [], { id: 7 }, 'c\u0000', { id: 'cus_1' }])
    assert.equal(
      await deliver(
        stripe.sign(
          JSON.stringify({
            ...notice,
            id: `evt_${Math.random()}`,
            data: { object: { ...object, customer } },
          }),
        ),
      ),
      200,
    )
})

test("D10: webhooks in any order, repeated or late, lead to the provider's state", async () => {
  const user = await aSubscriber()
  const id = subscriptionOf(user)
  await stripe.change(id, { status: 'past_due' })
  await stripe.change(id, { status: 'active' })
  await stripe.change(id, { status: 'canceled' }, 'customer.subscription.deleted')
  const notices = stripe.waiting.splice(0)
  for (const notice of [notices[2], notices[0], notices[2], notices[1], notices[0]])
    if (notice) assert.equal(await deliver(notice), 200)
  await waitUntil(async () => (await plan(user)).state === 'ended')
  // An old webhook with the status "active" arrives last and must not reactivate the plan.
  days(0.003)
  const late = notices[1] ? stripe.sign(notices[1].body) : undefined
  if (late) assert.equal(await deliver(late), 200)
  const rows = await server.db.asSystem((tx) =>
    tx
      .selectFrom('billing_events')
      .select('id')
      .where(
        'id',
        'in',
        notices.map((notice) => String((JSON.parse(notice.body) as { id: string }).id)),
      )
      .execute(),
  )
  assert.equal(rows.length, 3)
  assert.equal((await plan(user)).state, 'ended')
})

test('D10: a webhook about an unknown customer changes nothing', async () => {
  await stripe.change(addUnknownCustomer(), { status: 'active' })
  for (const notice of stripe.waiting.splice(0)) assert.equal(await deliver(notice), 200)
})

function addUnknownCustomer(): string {
  stripe.things.set('sub_strange', {
    id: 'sub_strange',
    object: 'subscription',
    customer: 'cus_strange',
    status: 'active',
    metadata: {},
  })
  return 'sub_strange'
}

test('F8: while the provider is down, checkout says so and nothing changes; a later webhook catches up', async () => {
  const user = await aSubscriber()
  stripe.isAway = true
  for (const path of ['cancel', 'portal', 'refresh']) {
    const answer = await user.call('POST', `/api/v1/billing/${path}`, {})
    assert.deepEqual([answer.status, answer.body.code], [503, 'payment_away'], path)
    assert.ok(answer.headers['retry-after'])
  }
  const other = await server.aUser()
  assert.equal((await other.call('POST', '/api/v1/billing/checkout', { interval: 'month' })).status, 503)
  assert.deepEqual(
    await plan(user).then(({ state, subscription }) => [state, subscription?.cancels_at_period_end]),
    ['subscribed', false],
  )
  assert.equal((await write(user)).status, 201)
  stripe.isAway = false
  await stripe.change(subscriptionOf(user), { status: 'canceled' }, 'customer.subscription.deleted')
  for (const notice of stripe.waiting.splice(0)) await deliver(notice)
  await waitUntil(async () => (await plan(user)).state === 'ended')
})

test('the daily read from the provider makes up for a lost webhook', async () => {
  const user = await aSubscriber()
  await stripe.change(subscriptionOf(user), { status: 'unpaid' })
  stripe.waiting.length = 0
  days(2)
  await signInAgain(user)
  await server.runTask('read_stale_customers')
  await waitUntil(async () => (await plan(user)).state === 'ended')
})

test('T17: nobody can give themselves a subscription or a longer trial', async () => {
  const user = await server.aUser()
  for (const table of ['subscriptions', 'customers', 'billing_events'] as const) {
    await assert.rejects(
      server.db.asMember(user.member, (tx) => tx.deleteFrom(table).execute()),
      /permission denied/,
    )
  }
  await assert.rejects(
    server.db.asMember(user.member, (tx) =>
      tx.insertInto('customers').values({ owner_id: user.id, customer_id: 'cus_mine' }).execute(),
    ),
    /permission denied/,
  )
  await assert.rejects(
    server.db.asMember(user.member, (tx) =>
      tx.updateTable('users').set({ deletion_asked_at: null }).where('id', '=', user.id).execute(),
    ),
    /permission denied/,
  )
  assert.equal(
    (await user.call('PATCH', '/api/v1/me', { trial_ends_at: '2099-01-01T00:00:00Z' })).status,
    422,
  )
  assert.equal(
    (await user.call('POST', '/api/v1/billing/checkout', { interval: 'month', price: 'price_free' })).status,
    422,
  )
  const other = await server.aUser()
  const row = await server.db.asMember(other.member, (tx) =>
    tx.selectFrom('subscriptions').select('id').execute(),
  )
  assert.deepEqual(row, [])
})

/** Signs up a friend with a user's code and confirms the address. */
async function aFriendOf(user: Caller): Promise<Caller> {
  const friend = server.aStranger()
  await friend.call('POST', '/api/auth/sign-up', {
    email: friend.email,
    password: PASSWORD,
    role: 'parent',
    ref: String((await user.call('GET', '/api/v1/referral')).body.code),
  })
  await server.confirm(friend)
  return friend
}

const rewardsOf = async (user: Caller) => {
  const { body } = await user.call('GET', '/api/v1/referral')
  return [body.days_earned, body.days_credited, body.days_due]
}
const periodEnd = async (user: Caller) =>
  Date.parse(
    String(
      ((await user.call('GET', '/api/v1/billing')).body.subscription as { period_ends_at: string })
        .period_ends_at,
    ),
  )
const DAYS_30 = 30 * 86_400_000

test("a friend who joins moves a subscriber's next payment by as many days, once, without proration", async () => {
  const user = await aSubscriber('year')
  const before = await periodEnd(user)
  const friend = await aFriendOf(user)
  await waitUntil(async () => (await rewardsOf(user))[1] === 30)
  assert.equal((await periodEnd(user)) - before, DAYS_30)
  assert.deepEqual(await rewardsOf(user), [30, 30, 0])
  assert.equal(stripe.things.get(subscriptionOf(user))?.proration, 'none')
  assert.equal((await plan(user)).state, 'subscribed')
  // The friend isn't a paying subscriber yet, so the days extend the trial.
  assert.deepEqual(await rewardsOf(friend), [30, 0, 0])
  assert.equal((await friend.call('GET', '/api/v1/billing')).body.trial_days, 75)
  await server.runTask('give_credits', {
    customer: String(stripe.things.get(subscriptionOf(user))?.customer),
  })
  assert.equal((await periodEnd(user)) - before, DAYS_30)
  for (const count of [2, 3]) {
    await aFriendOf(user)
    await waitUntil(async () => (await rewardsOf(user))[1] === count * 30)
  }
  assert.equal((await periodEnd(user)) - before, 3 * DAYS_30)
})

test('a reward survives an outage at the provider and lost responses, and is given once', async () => {
  const user = await aSubscriber()
  const before = await periodEnd(user)
  stripe.isAway = true
  await aFriendOf(user)
  await aFriendOf(user)
  await waitUntil(async () => (await rewardsOf(user))[2] === 60)
  stripe.isAway = false
  stripe.losesAnswerTo = 'trial_end'
  await server.db.asSystem(retryFailed)
  const providersEnd = () =>
    (
      stripe.things.get(subscriptionOf(user)) as unknown as {
        items: { data: { current_period_end: number }[] }
      }
    ).items.data[0]?.current_period_end ?? 0
  await waitUntil(async () => providersEnd() * 1000 - before === DAYS_30)
  // The webhook about the change may arrive before the job retries.
  for (const notice of stripe.waiting.splice(0)) await deliver(notice)
  assert.deepEqual(await rewardsOf(user), [60, 0, 60])
  stripe.losesAnswerTo = undefined
  await waitUntil(async () => {
    await server.db.asSystem(retryFailed)
    return (await rewardsOf(user))[1] === 60
  })
  await waitUntil(async () => (await periodEnd(user)) - before === 2 * DAYS_30)
})

test('days earned after canceling, or after a subscription has ended, extend the trial', async () => {
  const user = await aSubscriber()
  await user.call('POST', '/api/v1/billing/cancel', {})
  await aFriendOf(user)
  assert.deepEqual(await rewardsOf(user), [30, 0, 0])
  stripe.waiting.length = 0
  const other = await aSubscriber()
  await stripe.change(subscriptionOf(other), { status: 'canceled' }, 'customer.subscription.deleted')
  await aFriendOf(other)
  await waitUntil(async () => (await rewardsOf(other))[2] === 0)
  assert.deepEqual(await rewardsOf(other), [30, 0, 0])
  assert.deepEqual(await plan(other).then(({ state, can_write }) => [state, can_write]), ['trial', true])
})

test('without payment keys the server is unlimited and says so', async () => {
  const free = await startTestServer()
  try {
    const user = await free.aUser()
    free.clock.now = new Date(free.clock.now.getTime() + 400 * 86_400_000)
    await signInAgain(user)
    assert.equal((await user.call('GET', '/api/v1/billing')).body.state, 'unlimited')
    assert.equal((await write(user)).status, 201)
    assert.equal(
      (await user.call('POST', '/api/v1/billing/checkout', { interval: 'month' })).body.code,
      'no_payments',
    )
    assert.equal((await user.call('POST', '/api/webhooks/stripe', {})).status, 404)
  } finally {
    await free.stop()
  }
})
