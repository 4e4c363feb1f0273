// Metrics in the Prometheus text format. Like the mailbox, they're available only from this machine or with a
// token (promise W10).
import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { VERSION } from '#platform/version.server.ts'
import { ProblemError } from './problem.server.ts'
import { tokenHash } from './token.server.ts'

/** Headers, or parts of header names, that proxies, tunnels and CDNs add to requests they forward. */
const PASSED_ON =
  /^via$|^cdn-loop$|^cf-|^fastly-|^fly-|^x-envoy-|^x-amz|^x-azure-|^x-arr-|^x-vercel-|^x-original-/
const PASSED_ON_FOR =
  /forward|(client|real|remote|connecting|user|cluster)-?(ip|addr)|^x-(host|scheme|proto|real)/

/** True if a request comes from this machine, uses one of its names, and wasn't forwarded by a proxy. */
export function isFromThisMachine(request: FastifyRequest): boolean {
  return (
    /^(::1|(::ffff:)?127\.)/.test(request.socket.remoteAddress ?? '') &&
    /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(request.headers.host ?? '') &&
    !Object.keys(request.headers).some((name) => PASSED_ON.test(name) || PASSED_ON_FOR.test(name))
  )
}

/** True if a request carries our token as `Authorization: Bearer`; always false if no token is set. */
function carriesToken(request: FastifyRequest, token: string | undefined): boolean {
  const given = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  return token !== undefined && given !== undefined && timingSafeEqual(tokenHash(given), tokenHash(token))
}

/**
 * Adds GET /metrics.
 * @param gauges values that are read on each call
 * @param token allows callers on other machines (METRICS_TOKEN)
 */
export function addMetrics(
  app: FastifyInstance,
  gauges: () => Promise<Record<string, number>>,
  token?: string,
): void {
  const requests = new Map<string, { count: number; seconds: number }>()
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  app.addHook('onClose', async () => void delay.disable())
  app.addHook('onResponse', (request, reply, done) => {
    // Uses the route's pattern instead of the requested URL, because the URL may contain an id or a token.
    const labels = `method="${request.method}",route="${request.routeOptions.url ?? 'none'}",status="${reply.statusCode}"`
    const entry = requests.get(labels) ?? { count: 0, seconds: 0 }
    requests.set(labels, { count: entry.count + 1, seconds: entry.seconds + reply.elapsedTime / 1000 })
    done()
  })

  app.get('/metrics', async (request, reply) => {
    if (!isFromThisMachine(request) && !carriesToken(request, token))
      throw new ProblemError(404, 'not_found', 'This does not exist')
    const lines = [
      '# TYPE tutorlog_build_info gauge',
      `tutorlog_build_info{version="${VERSION}"} 1`,
      '# TYPE tutorlog_http_requests_total counter',
      ...[...requests].map(([labels, { count }]) => `tutorlog_http_requests_total{${labels}} ${count}`),
      '# TYPE tutorlog_http_request_seconds_total counter',
      ...[...requests].map(
        ([labels, { seconds }]) => `tutorlog_http_request_seconds_total{${labels}} ${seconds.toFixed(6)}`,
      ),
    ]
    const now = {
      resident_memory_bytes: process.memoryUsage.rss(),
      uptime_seconds: process.uptime(),
      event_loop_delay_p99_seconds: delay.percentile(99) / 1e9,
      ...(await gauges()),
    }
    for (const [name, value] of Object.entries(now))
      lines.push(`# TYPE tutorlog_${name} gauge`, `tutorlog_${name} ${value}`)
    delay.reset()
    return reply
      .type('text/plain; version=0.0.4')
      .header('cache-control', 'no-store')
      .send(`${lines.join('\n')}\n`)
  })
}
