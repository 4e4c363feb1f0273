// What everybody gets while the server is in maintenance: nothing is read or changed, and nothing is lost by asking again.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ProblemError } from './problem.server.ts'

/** What's being done, and how much of it is done, from 0 to 1. */
export interface Maintenance {
  step: string
  share: number
}

const RETRY_SECONDS = 10
const TITLE = 'Tutorlog is being maintained. Please try again in a few minutes.'

export function inMaintenance(): ProblemError {
  return new ProblemError(503, 'maintenance', TITLE, { retryAfterSeconds: RETRY_SECONDS })
}

/** Health checks and files are served as always. Pages are a plain one that loads again by itself. */
export function answerInMaintenance(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  const path = request.url.split('?')[0] ?? ''
  if (path === '/healthz' || path === '/readyz') return undefined
  const isPage = request.method === 'GET' && request.headers.accept?.includes('text/html')
  if (isPage && !path.startsWith('/api/'))
    return reply
      .status(503)
      .headers({ 'retry-after': RETRY_SECONDS, refresh: RETRY_SECONDS, 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(PAGE)
  if (/^\/(assets|pictures)\/|^\/[\w-]+\.(js|css|svg|png|webmanifest)$/.test(path)) return undefined
  throw inMaintenance()
}

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark"><title>Maintenance · Tutorlog</title></head>
<body><main><h1>Tutorlog is being maintained</h1>
<p>It will be back in a few minutes. What’s waiting on your device stays there and is sent later.</p></main></body></html>
`
