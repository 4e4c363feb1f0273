// Routes for the email choices, one-click unsubscribe, and the stream of changes.
import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { done, refused } from '#kernel/outcome.ts'
import { isOwnOrigin } from '#platform/http/app.server.ts'
import { ProblemError } from '#platform/http/problem.server.ts'
import { admit, type CurrentUser, serve, type Services } from '#platform/http/serve.server.ts'
import { ReadNotices, StreamEvents, UpdateNotices } from './notice.ts'
import { readNotices, saveNotices, unsubscribe } from './queries.server.ts'

/**
 * The interval of the heartbeat that keeps a stream alive through proxies that drop idle connections. Logins
 * are checked at each heartbeat, and whenever a login ends (promise A16).
 */
const BEAT_MS = 20_000
/** Changes within this interval are sent as one. */
const GATHER_MS = 100
/** The maximum number of tabs per user. A new one replaces the oldest. */
const STREAMS = 8

/** Adds /api/v1/notices, /api/v1/events and one-click unsubscribe. */
export function addNoticeRoutes(app: FastifyInstance, services: Services): void {
  serve(app, services, ReadNotices, async ({ tx, user }) => done(await readNotices(tx, user.id)))

  serve(app, services, UpdateNotices, async ({ tx, user, input, expectedVersion }) => {
    const notices = await saveNotices(tx, user.id, input, expectedVersion)
    return notices ? done(notices) : refused('changed')
  })

  services.served.push(StreamEvents)
  const streams = new Map<string, Set<ServerResponse>>()
  // A stream never ends by itself, and a server that shuts down waits for open connections (promise F14).
  app.addHook('preClose', async () => {
    for (const open of streams.values()) for (const stream of open) stream.end()
  })
  app.get(StreamEvents.path, async (request, reply) => {
    refuseForeign(request, services.baseUrl)
    const user = await admit(services, StreamEvents, request)
    const own = streams.get(user.id) ?? new Set()
    streams.set(user.id, own)
    if (own.size >= STREAMS) [...own][0]?.end()
    stream(request, reply, services, user, own)
    return reply
  })

  // RFC 8058: the email program posts here directly, not from one of our pages.
  app.route({
    method: 'POST',
    url: '/unsubscribe',
    config: { takesAnyOrigin: true },
    handler: async (request, reply) => {
      await services.db.asSystem((tx) => unsubscribe(tx, tokenIn(request)))
      // Tokens we didn't issue get the same response, since no emails come either way.
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

// A GET from the app itself has no Origin. A request from another site's page has one, or shows it in
// Sec-Fetch-Site (promise T15).
function refuseForeign(request: FastifyRequest, baseUrl: string): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (
    (origin === undefined || isOwnOrigin(origin, baseUrl)) &&
    (site === undefined || site === 'same-origin' || site === 'none')
  )
    return
  throw new ProblemError(403, 'origin', 'This request did not come from the app')
}

function stream(
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
  { id: userId, workspace }: CurrentUser,
  own: Set<ServerResponse>,
): void {
  const { raw } = reply
  reply.hijack()
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  raw.write('retry: 5000\n\n')
  own.add(raw)
  let gathering: NodeJS.Timeout | undefined
  const look = () => {
    admit(services, StreamEvents, request).then(
      (user) => {
        if (user.id === userId && isSamePlace(user.workspace, workspace)) return
        // Someone whose role changed is notified right away and starts a new stream.
        if (user.id === userId && user.workspace?.id === workspace?.id)
          raw.write('event: place\ndata: {}\n\n')
        raw.end()
      },
      () => raw.end(),
    )
  }
  const unhearEnds = services.db.hearOfEnds(userId, look)
  const tell = () => {
    gathering ??= setTimeout(() => {
      gathering = undefined
      raw.write('event: changed\ndata: {}\n\n')
    }, GATHER_MS)
  }
  // Changes from before the database listener connected were missed, so the page reloads once it has.
  let isNew = true
  const unhear =
    workspace &&
    services.db.hear(workspace.id, tell, () => {
      if (!isNew) tell()
    })
  isNew = false
  const beat = setInterval(() => {
    raw.write(': still here\n\n')
    look()
  }, BEAT_MS)
  raw.on('close', () => {
    clearInterval(beat)
    clearTimeout(gathering)
    unhear?.()
    unhearEnds()
    own.delete(raw)
  })
}

/** Whether someone is still in the same workspace with the same role and students. */
function isSamePlace(now: CurrentUser['workspace'], before: CurrentUser['workspace']): boolean {
  return now?.id === before?.id && now?.role === before?.role && now?.allStudents === before?.allStudents
}
