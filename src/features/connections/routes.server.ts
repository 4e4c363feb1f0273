// Routes for connections: requesting, answering, matching, merging and ending, with an account or from an
// emailed link.
import type { FastifyInstance } from 'fastify'
import { addDays, type CalendarDay, dayIn, monthOf } from '#kernel/calendar-day.ts'
import { done, type Outcome, refused } from '#kernel/outcome.ts'
import { emailKey } from '#kernel/text.ts'
import { type Caller, findLink, linkGone, type Services } from '#features/access/admission.server.ts'
import type { EmailedLink } from '#features/access/db.server.ts'
import { deviceHash, keepDevice, linkHash } from '#features/access/device.server.ts'
import { type Call, OUTSIDE, serve } from '#features/access/operation.server.ts'
import { addressHash, insertOptOut, isOptedOut } from '#features/notices/queries.server.ts'
import { listShared as listSharedSessions } from '#features/sessions/queries.server.ts'
import { readName, updateProfile } from '#features/accounts/queries.server.ts'
import { figuresAsOf, ledgerOfRows, standingOfMonth } from '#features/months/closing.ts'
import { withShownCodes } from '#features/months/commands.server.ts'
import { listMonths, readMonth, senderOfLink } from '#features/months/queries.server.ts'
import { inDollars } from '#features/payments/balance.ts'
import { dueInDollars } from '#features/payments/owed.ts'
import { listSharedCharges } from '#features/charges/queries.server.ts'
import { listShared as listSharedPayments } from '#features/payments/queries.server.ts'
import { readEmailedWays } from '#features/payments/way-queries.server.ts'
import { paths } from '#features/site/paths.ts'
import { insertStudent, listStudents } from '#features/students/queries.server.ts'
import { listTerms, listVersions } from '#features/terms/queries.server.ts'
import { MAX_STUDENTS } from '#features/students/student.ts'
import { insertTutor } from '#features/tutors/queries.server.ts'
import { MAX_TUTORS } from '#features/tutors/tutor.ts'
import { ONE_SIDE, readCurrency, setCurrency } from '#features/workspaces/queries.server.ts'
import type { WorkspaceId } from '#kernel/id.ts'
import { plainName } from '#kernel/plain-name.ts'
import { constraintOf, refusedBy } from '#platform/db/constraint.server.ts'
import { type Tx, withRetries } from '#platform/db/db.server.ts'
import { notFound } from '#platform/http/problem.server.ts'
import { hitLimit } from '#platform/http/rate-limit.server.ts'
import { newToken, tokenHash } from '#platform/http/token.server.ts'
import { queueMail } from '#platform/mail/outbox.server.ts'
import {
  AnswerConnection,
  AnswerPairs,
  AskConnection,
  type Connection,
  EndConnection,
  ListConnections,
  ListPairs,
} from './connection.ts'
import { type EmailedPage, EndLink, OpenLink } from './emailed.ts'
import { isMatchedTwice, isOpen, likelyMatches, type Matches } from './matching.ts'
import {
  addressOfTutor,
  answerConnection,
  answerPair,
  askingPractice,
  endConnection,
  findRequest,
  insertConnection,
  insertRequest,
  inviteStudents,
  listConnections,
  listPairs,
  lockConnection,
  matchChild,
  matchStudent,
  nameWorkspace,
  readConnection,
  shareSessions,
  sidesOf,
  tutorAt,
} from './queries.server.ts'
import { answerAsLink, confirmedFacts } from './emailed-queries.server.ts'
import { ClaimLink, ConfirmAddress, GiveAddress, MakeLink } from './handed.ts'
import {
  addressToConfirm,
  askedAddress,
  claimLink,
  forgetAskedAddress,
  replaceLink,
  setAddress,
} from './handed-queries.server.ts'

/** Limit on requests to one address, across all senders, so that nobody can flood a mailbox (promise I7). */
const ASKED = { hits: 3, seconds: 86_400 }

/** Adds the routes under /api/v1/connections and the emailed page's routes. */
export function addConnectionRoutes(app: FastifyInstance, services: Services): void {
  addAsking(app, services)
  addSharing(app, services)
  addEmailedPage(app, services)
  addHandedLinks(app, services)
}

function addAsking(app: FastifyInstance, services: Services): void {
  serve(app, services, ListConnections, async ({ tx, member }) => done(await listConnections(tx, member)))

  // Members can't be asked, because nobody may confirm for both sides.
  serve(app, services, AskConnection, (call) => refusedBy(ONE_SIDE, 'own_address', () => ask(call)))

  async function ask(call: Call<typeof AskConnection>) {
    const { tx, user, workspace, member, input } = call
    await lockConnection(tx, null)
    if (input.name) {
      await nameWorkspace(tx, workspace, input.name)
      // The other side sees a workspace under its owner's name.
      if (user.workspace?.role === 'owner' && (await readName(tx, user.id)) === null)
        await updateProfile(tx, user.id, { full_name: input.name })
    }
    const asked = member.side === 'family' ? await askTutor(call) : await askFamily(call)
    if (!asked.ok) return asked
    const { id, email, isNew } = asked.value
    if (email === null) return done(await existing(readConnection(tx, member, id)))
    const { isTooOften, isRefused } = await services.db.asSystem(async (system) => ({
      isRefused: await isOptedOut(system, email),
      isTooOften: isNew && (await hitLimit(system, `ask:${emailKey(email)}`, ASKED)) !== undefined,
    }))
    if (isRefused) return refused('opted_out')
    if (isTooOften) return refused('asked_too_often')
    if (isNew)
      await queueMail(tx, { userId: user.id, recipient: email, kind: 'ask_tutor', data: { link_id: id } })
    return done(await existing(readConnection(tx, member, id)))
  }

  async function askTutor({ tx, workspace, input }: Asking) {
    if (!input.tutor_id) return refused('no_tutor')
    const email = await addressOfTutor(tx, workspace, input.tutor_id)
    if (email === undefined) return refused('unknown_tutor')
    if (email === null && !input.by_link) return refused('no_email')
    const id = await insertConnection(tx, workspace, {
      tutorId: input.tutor_id,
      email: input.by_link ? null : email,
      sharedFrom: input.shared_from ?? null,
    })
    if (!id) return refused('already_asked')
    return done({ id, email: input.by_link ? null : email, isNew: true })
  }

  async function askFamily({ tx, workspace, member, input }: Asking) {
    const { email, student_ids: studentIds } = input
    if (!email && !input.by_link) return refused('no_address')
    if (!studentIds) return refused('no_students')
    const students = await listStudents(tx, workspace, 'all')
    if (studentIds.some((id) => !students.some((student) => student.id === id)))
      return refused('unknown_student')
    const sharedFrom = input.shared_from ?? null
    if (!email || input.by_link) {
      // Without an address, only whoever claims the link says whose it is.
      const open = (await listConnections(tx, member)).filter(
        (one) => one.link && one.link.state !== 'claimed',
      )
      if (open.some(({ people }) => people.some((one) => studentIds.includes(one.student_id ?? ''))))
        return refused('already_handed')
      const id = await existing(insertRequest(tx, workspace, { email: null, sharedFrom }))
      await inviteStudents(tx, id, studentIds)
      return done({ id, email: null, isNew: true })
    }
    const key = emailKey(email)
    const known = await findRequest(tx, workspace, key)
    if (known?.isTaken) return refused('already_asked')
    const id = known?.id ?? (await insertRequest(tx, workspace, { email, sharedFrom }))
    if (!id || (await inviteStudents(tx, id, studentIds)) === 0) return refused('already_asked')
    return done({ id, email, isNew: !known })
  }

  serve(app, services, AnswerConnection, (call) => refusedBy(ONE_SIDE, 'own_family', () => answer(call)))

  async function answer(call: Call<typeof AnswerConnection>) {
    const { tx, workspace, member, params, input } = call
    await lockConnection(tx, params.id)
    const before = await readConnection(tx, member, params.id)
    if (!before) throw notFound()
    if (before.is_read_only) return refused('other_closed')
    const students = await listStudents(tx, workspace, 'all')
    const people = input.people ?? likelyMatches(before.people, await freeStudents(call, before, students))
    const named = people.flatMap(({ student_id: id }) => id ?? [])
    if (named.some((id) => !students.some((student) => student.id === id))) return refused('unknown_student')
    if (isMatchedTwice(before.people, people, member.side)) return refused('matched_twice')
    const problem = input.state
      ? await answerAs(call, before, input.state)
      : !(await isToMatch(call, before)) && 'not_connected'
    if (problem) return refused(problem)
    if (input.state === 'declined')
      return done({ ...before, state: 'declined' as const, ended_by: 'you' as const })
    try {
      if (!(await matchPeople(call, before, people))) return refused('too_many')
    } catch (error) {
      if (constraintOf(error)?.startsWith('connection_people')) return refused('matched_twice')
      throw error
    }
    await shareSessions(tx, params.id)
    return done(await existing(readConnection(tx, member, params.id)))
  }

  /** Whether a connection has people to match, without accepting it in the same call. */
  async function isToMatch({ member }: Answering, { id, state, is_asked_by_you: isOwn }: Connection) {
    if (state !== 'active') return false
    if (member.side === 'family' || !isOwn) return true
    // Until a family accepts a practice's request, we don't know the family's children.
    const sides = await services.db.readAsSystem((system) => sidesOf(system, id))
    return Boolean(sides?.family)
  }

  /** Accepts or declines a request on behalf of the caller's side. Returns the refusal code, if any. */
  async function answerAs(
    { tx, workspace, member }: Answering,
    { id, state: before, is_asked_by_you: isOwn }: Connection,
    state: 'active' | 'declined',
  ) {
    if (before !== 'asked' || isOwn) return 'changed'
    if (state === 'declined') return (await answerConnection(tx, member, id, state)) ? undefined : 'changed'
    const currency = await services.db.readAsSystem(async (system) => {
      const both = await sidesOf(system, id)
      const other = member.side === 'family' ? both?.practice : both?.family
      return other && (await readCurrency(system, other))
    })
    if (member.side === 'practice')
      return (await answerConnection(tx, member, id, state)) ? undefined : 'changed'
    if (currency && (await setCurrency(tx, workspace, currency, false))) return 'other_currency'
    return acceptTutor({ tx, workspace, member }, id)
  }

  serve(app, services, EndConnection, async ({ tx, member, params }) => {
    if (!(await endConnection(tx, member, params.id))) throw notFound()
    return done(undefined)
  })
}

type Asking = Pick<Call<typeof AskConnection>, 'tx' | 'workspace' | 'member' | 'input'>
type Answering = Pick<Call<typeof AnswerConnection>, 'tx' | 'workspace' | 'member'>

/**
 * Those whom a connection's people may be without anybody saying so. A child may have several tutors, but a
 * student who's already shared with a family is never shared with another one on a guess.
 */
async function freeStudents<One extends { id: string }>(
  { tx, member }: Answering,
  { id }: Connection,
  students: One[],
): Promise<One[]> {
  if (member.side === 'family') return students
  const others = (await listConnections(tx, member)).filter((one) => one.id !== id && isOpen(one))
  const shared = new Set(others.flatMap(({ people }) => people.map((person) => person.student_id)))
  return students.filter((student) => !shared.has(student.id))
}

/** Matches a connection's people with the caller's. False if the list is full. */
async function matchPeople(
  { tx, workspace, member }: Answering,
  connection: Connection,
  people: Matches,
): Promise<boolean> {
  const match = member.side === 'family' ? matchStudent : matchChild
  // Clears all matches first, so that two of them can be swapped.
  for (const { id } of people) await match(tx, connection.id, id, null)
  for (const person of people) {
    const student =
      person.student_id ??
      (member.side === 'family' ? await newChild(tx, workspace, connection, person.id) : null)
    if (student === undefined) return false
    await match(tx, connection.id, person.id, student)
  }
  return true
}

/**
 * Accepts a tutor's request on behalf of a family, using the family's tutor with that address, or a new one
 * if there isn't one. Returns the refusal code, if any.
 */
async function acceptTutor({ tx, workspace, member }: Answering, id: string) {
  const asks = await askingPractice(tx, id)
  if (!asks) return 'changed'
  const known = await tutorAt(tx, workspace, emailKey(asks.email))
  if (known?.state === 'active') return 'already_connected'
  // Each side had asked the other, and one connection is enough.
  if (known?.connection) await endConnection(tx, member, known.connection)
  const made =
    known ??
    (await insertTutor(
      tx,
      workspace,
      {
        name: plainName(asks.name, 'Tutor'),
        email: asks.email,
        phone: null,
        hourly_rate_cents: asks.rate_cents,
        subjects: [],
        notes: null,
      },
      MAX_TUTORS,
    ))
  if (!made) return 'too_many'
  return (await answerConnection(tx, member, id, 'active', made.id)) ? undefined : 'changed'
}

/** Adds a child for one of the tutor's students; undefined if the list is full. */
async function newChild(
  tx: Tx,
  workspace: WorkspaceId,
  { people }: Connection,
  personId: string,
): Promise<string | undefined> {
  const name = people.find(({ id }) => id === personId)?.first_name ?? 'Student'
  return (await insertStudent(tx, workspace, { name, grade: null, notes: null }, MAX_STUDENTS))?.id
}

function addSharing(app: FastifyInstance, services: Services): void {
  serve(app, services, ListPairs, async ({ tx, member, params }) => {
    if (!(await readConnection(tx, member, params.id))) throw notFound()
    return done({ pairs: await listPairs(tx, member, params.id) })
  })

  serve(app, services, AnswerPairs, async ({ tx, member, params, input }) => {
    await lockConnection(tx, params.id)
    const connection = await readConnection(tx, member, params.id)
    if (!connection) throw notFound()
    if (connection.is_read_only) return refused('other_closed')
    const kept = (await listPairs(tx, member, params.id)).filter(
      ({ id, yours, theirs }) => input.different.includes(id) && yours.currency !== theirs.currency,
    )
    let answered = 0
    const answers = [
      ...input.same.map((id) => [id, true] as const),
      ...input.different.map((id) => [id, false] as const),
    ]
    try {
      for (const [id, isSame] of answers) if (await answerPair(tx, params.id, id, isSame)) answered += 1
    } catch (error) {
      if (constraintOf(error) === 'session_pairs_copies') return refused('copies')
      throw error
    }
    return done({ answered, ...(kept.length > 0 && { other_currency: kept.length }) })
  })
}

function addEmailedPage(app: FastifyInstance, services: Services): void {
  serve(app, services, OpenLink, OUTSIDE, async ({ link, input, readAsCaller, request, reply }) => {
    const today = input.today ?? dayIn(services.now(), 'UTC')
    const page = await readAsCaller((caller) => emailedPage(caller, today))
    if (!link?.isHanded) return done({ ...page, email: link?.email ?? null, handed: null })
    keepDevice(request, reply, services.baseUrl)
    const asked = await services.db.readAsSystem((tx) => askedAddress(tx, link.id, services.now()))
    return done({ ...page, email: link.email, handed: { asked_address: asked } })
  })

  serve(app, services, EndLink, OUTSIDE, async ({ link, asCaller, input }) => {
    // Ending waits for whoever is answering, who may be waiting to accept.
    await withRetries(() => asCaller(({ tx }) => endByLink(tx, link)))
    if (input.forget && link?.email) {
      const hash = addressHash(link.email)
      await services.db.asSystem((tx) => insertOptOut(tx, hash))
    }
    return done(undefined)
  })
}

async function endByLink(tx: Tx, link: EmailedLink | undefined): Promise<void> {
  if (!link || !(await lockConnection(tx, link.id))) throw linkGone()
  await answerAsLink(tx, link, 'ended')
}

/** The page shows at most a year's worth of months. */
const MOST_MONTHS = 12

async function emailedPage(
  caller: Caller,
  today: CalendarDay,
): Promise<Omit<EmailedPage, 'email' | 'handed'>> {
  const { tx, workspace: connection, side, now } = caller
  // Future lessons can't be confirmed. The reader's date may be a day ahead of the server's.
  const tomorrow = addDays(dayIn(now, 'UTC'), 1)
  const [{ name, firstNames }, sessions, money, terms, months] = await Promise.all([
    senderOfLink(tx),
    emailedSessions(caller, tomorrow),
    emailedMoney(caller, today),
    listTerms(tx, connection),
    listMonths(tx, connection, monthOf(tomorrow), MOST_MONTHS),
  ])
  const standings = await Promise.all(
    months.map(async (month) => {
      const rows = await openOr(readMonth(tx, connection, month))
      return withShownCodes(standingOfMonth(connection, name, rows, month, now))
    }),
  )
  return {
    side,
    other_name: name,
    family_name: side === 'practice' ? name : null,
    sessions,
    first_names: firstNames,
    terms: terms.map((one) => ({ ...one, other_name: name })),
    money: {
      ...money,
      payments: money.payments.map((one) => ({ ...one, other_name: name })),
      charges: money.charges.map((one) => ({ ...one, other_name: name })),
    },
    months: standings,
  }
}

async function emailedSessions(
  { tx, workspace, side }: Caller,
  latest: CalendarDay,
): Promise<EmailedPage['sessions']> {
  const sessions = await listSharedSessions(tx, workspace, { to: latest, isLink: true })
  const open = sessions.filter(({ own_confirmation: own }) => own === 'none')
  const confirmed = await confirmedFacts(
    tx,
    side,
    open.map(({ id }) => id),
  )
  return sessions.map((session) => ({
    ...session,
    student_name: plainName(session.student_name, '') || null,
    confirmed_before: confirmed.get(session.id) ?? null,
  }))
}

async function emailedMoney(
  { tx, workspace, side }: Caller,
  today: CalendarDay,
): Promise<EmailedPage['money']> {
  const [rows, versions, payments, charges, { ways, changed_at: changedAt, reference }] = await Promise.all([
    openOr(readMonth(tx, workspace, monthOf(today))),
    listVersions(tx, workspace),
    listSharedPayments(tx, workspace),
    listSharedCharges(tx, workspace),
    side === 'family'
      ? readEmailedWays(tx, workspace, monthOf(today))
      : { ways: [], changed_at: null, reference: null },
  ])
  const { balance, on_its_way_amount } = inDollars(figuresAsOf(rows, today))
  const { currency } = rows
  const due = dueInDollars({ lines: ledgerOfRows(rows), versions }, today)
  return {
    payments,
    charges,
    balance,
    on_its_way_amount,
    due,
    currency,
    ways,
    ways_changed_at: changedAt,
    reference,
  }
}

/** Waits for something that's there as long as the connection is open. */
async function openOr<Found>(found: Promise<Found | undefined>): Promise<Found> {
  const value = await found
  if (!value) throw linkGone()
  return value
}

async function existing<Found>(found: Promise<Found | undefined>): Promise<Found> {
  const value = await found
  if (!value) throw notFound()
  return value
}

/** Limit on emails to one address that somebody adds, across all of them (promise I7). */
const GIVEN = { hits: 3, seconds: 86_400 }

function addHandedLinks(app: FastifyInstance, services: Services): void {
  serve(app, services, MakeLink, async ({ tx, workspace, member, params }) => {
    await lockConnection(tx, params.id)
    const connection = await readConnection(tx, member, params.id)
    if (!connection) throw notFound()
    if (!connection.link || !connection.is_asked_by_you) return refused('not_by_link')
    const token = newToken()
    const lapsesAt = await replaceLink(tx, workspace, params.id, tokenHash(token), member.now)
    // The part of a URL after # never reaches a server or its log (promise W5).
    return done({
      url: `${services.baseUrl}${paths.handedLink}#${token}`,
      lapses_at: lapsesAt.toISOString(),
    })
  })

  serve(app, services, ClaimLink, OUTSIDE, async ({ request, reply }) => {
    const link = await findLink(services, request)
    if (typeof link !== 'string') return done({ is_claimed: true })
    const hash = linkHash(request)
    if (link !== 'link_unclaimed' || !hash) return refused(link === 'link_unclaimed' ? 'link_gone' : link)
    // Claimed only with a cookie that the browser is known to keep. It's set first, so a lost response or blocked
    // cookies never use up the link.
    const device = deviceHash(request, services.baseUrl)
    keepDevice(request, reply, services.baseUrl)
    if (!device) return done({ is_claimed: false })
    const isClaimed = await services.db.asSystem((tx) => claimLink(tx, { hash, device }, services.now()))
    if (isClaimed) return done({ is_claimed: true })
    const after = await findLink(services, request)
    if (typeof after !== 'string') return done({ is_claimed: true })
    return refused(after === 'link_unclaimed' ? 'link_gone' : after)
  })

  serve(app, services, GiveAddress, OUTSIDE, async ({ link, input, request }) => {
    if (!link) throw linkGone()
    if (link.email !== null) return refused('has_address')
    // Whoever is signed in has proved already that the address is theirs.
    const user = await services.currentUser(request)
    if (user?.isConfirmed && emailKey(user.email) === emailKey(input.email)) {
      const set = await giveAddress(services, link.id, user.email)
      return set.ok ? done({ is_confirmed: true }) : refused(set.reason)
    }
    return services.db.asSystem(async (tx) => {
      if (await isOptedOut(tx, input.email)) return refused('opted_out')
      if ((await hitLimit(tx, `ask:${emailKey(input.email)}`, GIVEN)) !== undefined)
        return refused('asked_too_often')
      await forgetAskedAddress(tx, link.id)
      await queueMail(tx, {
        userId: null,
        recipient: input.email,
        kind: 'link_address',
        data: { link_id: link.id },
      })
      return done({ is_confirmed: false })
    })
  })

  serve(app, services, ConfirmAddress, OUTSIDE, async ({ request }) => {
    const link = await findLink(services, request)
    if (link === 'own_link') return refused(link)
    if (typeof link !== 'string') return done(undefined)
    const hash = linkHash(request)
    const asked =
      link === 'address_unconfirmed' && hash
        ? await services.db.readAsSystem((tx) => addressToConfirm(tx, hash, services.now()))
        : undefined
    if (!asked) return refused('link_gone')
    const set = await giveAddress(services, asked.id, asked.address)
    if (set.ok) return done(undefined)
    return refused(set.reason === 'has_address' ? 'link_gone' : set.reason)
  })
}

/** Gives the side of a handed-over link its address. */
async function giveAddress(
  { db }: Services,
  id: string,
  address: string,
): Promise<Outcome<undefined, 'has_address' | 'own_address' | 'already_asked'>> {
  try {
    const isSet = await withRetries(() => db.asSystem((tx) => setAddress(tx, id, address)))
    return isSet ? done(undefined) : refused('has_address')
  } catch (error) {
    const constraint = constraintOf(error)
    if (constraint === ONE_SIDE) return refused('own_address')
    if (constraint === 'connections_one_open_address') return refused('already_asked')
    throw error
  }
}
