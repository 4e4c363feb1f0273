// Routes for the email choices, one-click unsubscribe, and the stream of changes.
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { declarationOf } from '#features/access/declaration.server.ts'
import { done, refused } from '#kernel/outcome.ts'
import type { CallerKey } from '#platform/db/db.server.ts'
import { isOwnOrigin } from '#platform/http/app.server.ts'
import { openEventStream } from '#platform/http/event-stream.server.ts'
import { ProblemError } from '#platform/http/problem.server.ts'
import { admit, admitUser, type CurrentUser, type Services } from '#features/access/admission.server.ts'
import { serve } from '#features/access/operation.server.ts'
import { ReadNotices, StreamEvents, UpdateNotices } from './notice.ts'
import { readNotices, saveNotices, unsubscribe } from './queries.server.ts'

/**
 * How often to send the heartbeat that keeps a stream alive through proxies that drop idle connections.
 * Logins are checked at each heartbeat, and whenever a login ends (promise A16).
 */
const BEAT_MS = 20_000
/** How often to check which streams are due for a heartbeat. */
const TICK_MS = 1000
/** Changes within this interval are sent as one. */
const GATHER_MS = 100
/** The maximum number of tabs per user. A new one replaces the oldest. */
const STREAMS = 8

export function addNoticeRoutes(app: FastifyInstance, services: Services): void {
  serve(app, services, ReadNotices, async ({ tx, user }) => done(await readNotices(tx, user.id)))

  serve(app, services, UpdateNotices, async ({ tx, user, input, expectedVersion }) => {
    const notices = await saveNotices(tx, user.id, input, expectedVersion)
    return notices ? done(notices) : refused('changed')
  })

  services.served.push(declarationOf(StreamEvents))
  const streams = openStreams(services)
  // A stream never ends on its own, and a server that's shutting down waits for open connections (promise
  // F14).
  app.addHook('preClose', async () => streams.end())
  app.get(StreamEvents.path, async (request, reply) => {
    refuseForeign(request, services.baseUrl)
    const user = await admit(services, declarationOf(StreamEvents), request)
    const key = services.callerKey(request)
    if (key) streams.add(openEventStream(reply), user, key)
    return reply
  })

  // RFC 8058: the email program posts here directly, not from one of our pages.
  app.route({
    method: 'POST',
    url: '/unsubscribe',
    config: { takesAnyOrigin: true },
    handler: async (request, reply) => {
      await services.db.asSystem((tx) => unsubscribe(tx, tokenIn(request)))
      // Tokens we didn't issue get the same response, because no more emails will follow in that case either.
      return services.sendPage(
        reply,
        'Done',
        '<h1 class="mt-8">Done</h1><p class="mt-2 text-ink-2">You won\'t get any more emails like this one.</p>',
      )
    },
  })
  // Opening the link doesn't change anything, because email scanners open every link.
  app.get('/unsubscribe', async (_request, reply) =>
    services.sendPage(
      reply,
      'Unsubscribe',
      [
        '<h1 class="mt-8">Unsubscribe?</h1>',
        '<p class="mt-2 text-ink-2">You won\'t get any more emails like the one you came from. Everything in the app stays the same.</p>',
        '<form class="mt-5" method="post"><button class="btn btn-p">Unsubscribe</button></form>',
      ].join(''),
    ),
  )
}

function tokenIn(request: FastifyRequest): string {
  const { token } = request.query as { token?: unknown }
  return typeof token === 'string' ? token : ''
}

// A GET from the app itself has no Origin. A request from another site's page has an Origin or can be
// recognized by Sec-Fetch-Site (promise T15).
function refuseForeign(request: FastifyRequest, baseUrl: string): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (
    (origin === undefined || isOwnOrigin(origin, baseUrl)) &&
    (site === undefined || site === 'same-origin' || site === 'none')
  )
    return
  throw new ProblemError(403, 'origin', 'This request did not come from the app')
}

interface Stream {
  response: ServerResponse
  userId: string
  workspace: CurrentUser['workspace']
  key: CallerKey
  /** When its next heartbeat is due, in milliseconds. */
  beatAt: number
}

function openStreams(services: Services) {
  /** Ordered by next heartbeat, earliest first. */
  const streams = new Set<Stream>()
  const byUser = new Map<string, Stream[]>()
  const look = (stream: Stream) => {
    lookAgain(services, stream).catch(() => stream.response.end())
  }
  const beat = setInterval(() => {
    const now = performance.now()
    for (const stream of streams) {
      if (stream.beatAt > now) break
      streams.delete(stream)
      streams.add(Object.assign(stream, { beatAt: now + BEAT_MS }))
      stream.response.write('event: beat\ndata: {}\n\n')
      look(stream)
    }
  }, TICK_MS).unref()

  return {
    add(response: ServerResponse, { id: userId, workspace }: CurrentUser, key: CallerKey): void {
      const own = byUser.get(userId) ?? []
      if (own.length >= STREAMS) own[0]?.response.end()
      const stream = { response, userId, workspace, key, beatAt: performance.now() + BEAT_MS }
      streams.add(stream)
      byUser.set(userId, [...own, stream])
      response.write('retry: 5000\n\n')
      // This also checks right away, because the caller's access may have changed since they were admitted.
      const unsubscribe = sendChanges(services, stream, () => look(stream))
      response.on('close', () => {
        unsubscribe()
        streams.delete(stream)
        const rest = byUser.get(userId)?.filter((one) => one !== stream) ?? []
        if (rest.length > 0) byUser.set(userId, rest)
        else byUser.delete(userId)
      })
    },
    end(): void {
      clearInterval(beat)
      for (const { response } of streams) response.end()
    },
  }
}

/**
 * Writes changes to a stream, and rechecks its login whenever one of the user's logins ends. Returns a
 * function that stops this.
 */
function sendChanges(
  services: Services,
  { response, userId, workspace }: Stream,
  look: () => void,
): () => void {
  let gathering: NodeJS.Timeout | undefined
  const notify = () => {
    gathering ??= setTimeout(() => {
      gathering = undefined
      response.write('event: changed\ndata: {}\n\n')
    }, GATHER_MS)
  }
  // Changes made before the database listener connected were missed, so the page reloads once it connects.
  let isNew = true
  const unsubscribe =
    workspace &&
    services.db.subscribe(workspace.id, notify, () => {
      if (!isNew) notify()
    })
  isNew = false
  const unsubscribeFromEnds = services.db.subscribeToLoginEnds(userId, look)
  return () => {
    clearTimeout(gathering)
    unsubscribe?.()
    unsubscribeFromEnds()
  }
}

/**
 * Ends a stream if its caller's workspace, role or students have changed. Throws if the caller is no longer
 * admitted.
 */
async function lookAgain(services: Services, { response, userId, workspace, key }: Stream): Promise<void> {
  const found = await services.userBy({ ...key, now: services.now() })
  const user = await admitUser(services, declarationOf(StreamEvents), found)
  if (user.id === userId && isSamePlace(user.workspace, workspace)) return
  // If only the role or the students changed, notifies the page right away so that it starts a new stream.
  if (user.id === userId && user.workspace?.id === workspace?.id) response.write('event: place\ndata: {}\n\n')
  response.end()
}

/** Whether someone is still in the same workspace with the same role and students. */
function isSamePlace(now: CurrentUser['workspace'], before: CurrentUser['workspace']): boolean {
  return now?.id === before?.id && now?.role === before?.role && now?.allStudents === before?.allStudents
}
