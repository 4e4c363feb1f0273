// The HTTP server before any features are added: limits, headers, same-origin check, errors and health
// checks.
import cookie from '@fastify/cookie'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Problem } from '#kernel/endpoint.ts'
import { isRegion, REGION_HEADER } from '#kernel/reader.ts'
import { writeFor } from '#platform/reader.server.ts'
import { VERSION } from '#platform/version.server.ts'
import { addCompression } from './compress.server.ts'
import { parseJson } from './json.server.ts'
import { answerInMaintenance, inMaintenance, type Maintenance } from './maintenance.server.ts'
import { answerError, ProblemError } from './problem.server.ts'
import { refuseMalformedText } from './unicode.server.ts'

const BODY_LIMIT_BYTES = 256 * 1024

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "media-src 'self' blob:",
  "manifest-src 'self'",
  "worker-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
].join('; ')

interface AppOptions {
  baseUrl: string
  trustedProxies: string[]
  logLevel: string
  readiness: { standing(): Promise<string>; noteFailure(error: unknown): void }
  /** Turns errors of the database that refuse something into responses. */
  refusalOf: (error: unknown) => Problem | undefined
  /** Whether the server has been asked to stop. */
  isLeaving?: () => boolean
  /** What's going on while nobody is served. Undefined otherwise. */
  maintenance?: (() => Maintenance | undefined) | undefined
  /** Where to write the log. Defaults to standard output. */
  logTo?: { write(line: string): void }
}

export function buildApp(options: AppOptions): FastifyInstance {
  const secure = new URL(options.baseUrl).protocol === 'https:'
  const hardening = {
    'content-security-policy': secure ? `${POLICY}; upgrade-insecure-requests` : POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'microphone=(self), camera=(), geolocation=(), payment=()',
    'x-frame-options': 'DENY',
    ...(secure ? { 'strict-transport-security': 'max-age=63072000; includeSubDomains' } : {}),
  }
  const app = fastify({
    logger: {
      level: options.logLevel,
      base: null,
      redact: ['req.headers', 'res.headers'],
      ...(options.logTo ? { stream: options.logTo } : {}),
    },
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: options.trustedProxies.length > 0 ? options.trustedProxies : false,
    bodyLimit: BODY_LIMIT_BYTES,
    // Disconnects slow senders (promise W11). By default, Node checks for them only every 30 s.
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 1000 },
    requestTimeout: 30_000,
    connectionTimeout: 60_000,
    // Load balancers keep idle connections open for 60 s. If the server closed one before that, the next
    // request on it would fail.
    keepAliveTimeout: 75_000,
    // During shutdown, the server still responds to requests on open connections, then closes them (promise
    // F14).
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false },
    genReqId: () => crypto.randomUUID(),
    // A malformed URL is rejected before any hook runs.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) =>
      void answerError(error, request, reply.headers(hardening), options.refusalOf),
  } as Parameters<typeof fastify>[0]) as unknown as FastifyInstance

  app.register(cookie)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? undefined : parseJson(String(body)))
    } catch (error) {
      done(
        new ProblemError(
          400,
          'malformed',
          `The JSON could not be read: ${error instanceof Error ? error.message.slice(0, 80) : ''}`,
        ),
      )
    }
  })

  // Accepts form submissions from pages without scripts. No route reads the form's contents, so they're
  // ignored.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 1024 },
    (request, _body, done) => {
      const { takesAnyOrigin } = request.routeOptions.config as { takesAnyOrigin?: boolean }
      done(
        takesAnyOrigin ? null : new ProblemError(415, 'unsupported_type', 'Send application/json'),
        undefined,
      )
    },
  )

  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(hardening)
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
    const { takesAnyOrigin } = request.routeOptions.config as { takesAnyOrigin?: boolean }
    if (
      isUnsafe(request.method) &&
      !takesAnyOrigin &&
      !request.url.startsWith('/api/webhooks/') &&
      !isOwnOrigin(request.headers.origin, options.baseUrl)
    ) {
      return done(new ProblemError(403, 'origin', 'This request did not come from the app'))
    }
    done()
  })
  app.addHook('onRequest', async (request, reply) => {
    if (options.maintenance?.()) return answerInMaintenance(request, reply)
  })
  // What's written in answer to a request, such as a PDF, is written the way its reader writes.
  app.addHook('onRequest', (request, _reply, done) => {
    const { [REGION_HEADER]: region } = request.headers
    writeFor(typeof region === 'string' && isRegion(region) ? region : null, done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    )
    done()
  })
  // An open connection would delay the shutdown (promise F14).
  let isEnding = false
  app.addHook('preClose', async () => {
    isEnding = true
  })
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isEnding) reply.header('connection', 'close')
    done(null, payload)
  })
  refuseMalformedText(app)
  addCompression(app)
  app.setErrorHandler((error, request, reply) => {
    // The database was taken away from a request that came before.
    if (options.maintenance?.()) return answerError(inMaintenance(), request, reply, options.refusalOf)
    options.readiness.noteFailure(error)
    return answerError(error, request, reply, options.refusalOf)
  })

  app.get('/healthz', async () => {
    const maintenance = options.maintenance?.()
    return { status: maintenance ? 'maintenance' : 'ok', version: VERSION, ...maintenance }
  })
  app.get('/readyz', async (_request, reply) => {
    const notReady = (status: string) => reply.status(503).header('retry-after', '2').send({ status })
    if (options.isLeaving?.()) return notReady('stopping')
    if (options.maintenance?.()) return notReady('maintenance')
    const status = await options.readiness.standing()
    return status === 'ready' ? { status } : notReady(status)
  })
  return app
}

function isUnsafe(method: string): boolean {
  // The only other methods our routes handle are GET, HEAD and OPTIONS.
  return ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method)
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * True if an Origin header matches the app's origin (promise W3). If the app is on loopback, all of this
 * machine's names match.
 */
export function isOwnOrigin(origin: string | undefined, baseUrl: string): boolean {
  if (!origin || !URL.canParse(origin)) return false
  const [own, other] = [new URL(baseUrl), new URL(origin)]
  if (own.origin === other.origin) return true
  return (
    own.protocol === other.protocol &&
    own.port === other.port &&
    LOOPBACK.has(own.hostname) &&
    LOOPBACK.has(other.hostname)
  )
}
