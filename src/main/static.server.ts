// Serves the built frontend: public pages as files, one shell for the signed-in app, and 404s for everything
// else.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { KeysFile } from '#features/months/signed-page.ts'
import { BUILT_CONTACT, BUILT_ORIGIN, BUILT_SIGN_UP, type SignUpPolicy } from '#features/site/address.ts'
import { APP_PAGES, DEMO_PAGES, PAGE_CHECKER, paths, PUBLIC_PAGES } from '#features/site/paths.ts'
import { ProblemError } from '#platform/http/problem.server.ts'
import { escapeHtml } from '#platform/mail/template.server.ts'

const BUILD = join(dirname(fileURLToPath(import.meta.url)), '../../build/client')
const NOT_BUILT = 'The pages are not built yet. Run npm start.'
const YEAR_SECONDS = 31_536_000
const DAY_SECONDS = 86_400

/**
 * Matches the login cookies. Scripts can't read them, so a Server-Timing header tells the page whether they
 * were sent. That saves visitors' browsers a request.
 */
const LOGIN_COOKIE = /(?:^|;\s*)(?:__Host-)?(?:access|refresh)=/

/** A page that's ready to send. It's built once, when the server starts. */
interface Page {
  plain: Buffer
  brotli: Buffer
  etag: string
}

/** Serves the build. Hashed files are cached for a year; pages are revalidated on every load. */
export function addStaticFiles(
  app: FastifyInstance,
  { baseUrl, contactTo, signUp }: { baseUrl: string; contactTo: string; signUp: SignUpPolicy },
  publicKeys: () => Promise<KeysFile>,
): void {
  const page = (name: string): Page | undefined => {
    const file = join(BUILD, name)
    if (!existsSync(file)) return undefined
    const plain = Buffer.from(
      readFileSync(file, 'utf8')
        .replaceAll(BUILT_ORIGIN, escapeHtml(baseUrl))
        .replaceAll(BUILT_CONTACT, escapeHtml(contactTo))
        .replace(BUILT_SIGN_UP, `name="sign-up" content="${signUp}"`),
    )
    const brotli = brotliCompressSync(plain, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 6,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      },
    })
    return { plain, brotli, etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"` }
  }
  const shell = page('app.html')
  const lost = page('404.html')
  if (existsSync(BUILD)) {
    app.register(fastifyStatic, {
      root: BUILD,
      serve: true,
      index: false,
      wildcard: false,
      preCompressed: true,
      decorateReply: false,
      cacheControl: false,
      // Pages have addresses of their own, and verify.html is another file.
      globIgnore: ['*.html'],
      allowedPath: (path) => !path.endsWith('.html') && !path.endsWith('.map'),
      setHeaders: (response, path) => {
        response.header(
          'cache-control',
          path.includes('/assets/')
            ? `public, max-age=${YEAR_SECONDS}, immutable`
            : path.includes('/pictures/')
              ? `public, max-age=${DAY_SECONDS}`
              : 'no-cache',
        )
      },
    })
  }
  for (const path of PUBLIC_PAGES) {
    const html = page(fileOf(path, signUp)) ?? shell
    app.get(path, async (request, reply) =>
      sendPage(request, path === paths.demo ? sealed(reply, 'page') : reply, 200, html),
    )
  }
  const side = page('demo-side.html') ?? shell
  for (const path of DEMO_PAGES)
    app.get(path, async (request, reply) => sendPage(request, sealed(reply, 'side'), 200, side))
  for (const path of APP_PAGES) app.get(path, async (request, reply) => sendPage(request, reply, 200, shell))

  const checker = join(BUILD, 'page-checker.html')
  app.get(PAGE_CHECKER, async (_request, reply) => {
    if (!existsSync(checker)) throw new ProblemError(503, 'not_built', NOT_BUILT)
    const page = readFileSync(checker, 'utf8')
    const policy =
      /http-equiv="content-security-policy" content="([^"]*)"/.exec(page)?.[1] ?? "default-src 'none'"
    // As a value of JSON, so it can't end the element that it's in.
    const keys = JSON.stringify(await publicKeys()).replaceAll('<', String.raw`\u003c`)
    return reply
      .type('text/html; charset=utf-8')
      .headers({ 'cache-control': 'no-cache', [POLICY]: `${policy}; frame-ancestors 'none'` })
      .send(page.replace('PUBLIC_KEYS', () => keys))
  })

  app.setNotFoundHandler(async (request: FastifyRequest, reply) => {
    const path = request.url.split('?')[0] ?? ''
    if (
      request.method !== 'GET' ||
      path.startsWith('/api/') ||
      !request.headers.accept?.includes('text/html')
    )
      throw new ProblemError(404, 'not_found', 'This does not exist')
    // Logs the missing path, which docs/product.md, section 2 requires, but not the query, which may contain
    // a secret.
    request.log.info({ path: path.slice(0, 200) }, 'page not found')
    return sendPage(request, reply, 404, lost ?? shell)
  })
}

function fileOf(path: string, signUp: SignUpPolicy): string {
  if (path === paths.home) return 'index.html'
  return path === paths.signup && signUp !== 'open' ? `signup-${signUp}.html` : `${path.slice(1)}.html`
}

const POLICY = 'content-security-policy'

/** Only the demo's page may embed the two frames, and the frames can't make any requests. */
function sealed(reply: FastifyReply, part: 'page' | 'side'): FastifyReply {
  const own = String(reply.getHeader(POLICY))
  if (part === 'page') return reply.header(POLICY, `${own}; frame-src 'self'`)
  const policy = own
    .replace("connect-src 'self'", "connect-src 'none'")
    .replace("worker-src 'self'", "worker-src 'none'")
    .replace("form-action 'self'", "form-action 'none'")
    .replace("frame-ancestors 'none'", "frame-ancestors 'self'")
  return reply.header(POLICY, policy).header('x-frame-options', 'SAMEORIGIN')
}

/** Sends a text page with the app's styles but without its scripts. If there's no build, sends a plain page. */
export function sendWords(reply: FastifyReply, title: string, html: string): FastifyReply {
  const file = join(BUILD, 'app.html')
  const frame = existsSync(file)
    ? readFileSync(file, 'utf8')
    : '<!doctype html><html lang="en"><head><title>Tutorlog</title></head><body><div id="root"></div></body></html>'
  const page = frame
    .replaceAll(/<script type="module"[^>]*><\/script>\s*|<link rel="modulepreload"[^>]*>\s*/g, '')
    .replace(
      '<title>Tutorlog</title>',
      () => `<title>${escapeHtml(title)} · Tutorlog</title><meta name="robots" content="noindex">`,
    )
    .replace(
      '<div id="root"></div>',
      () =>
        `<main id="main" class="mx-auto min-h-dvh max-w-[27rem] px-5 pt-5 pb-8">` +
        `<a href="/" class="disp flex min-h-11 items-center gap-2.5 text-[1.3125rem]">` +
        `<img src="/favicon.svg" width="32" height="32" alt="" />Tutorlog</a>${html}</main>`,
    )
  return reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(page)
}

function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  page: Page | undefined,
): FastifyReply {
  if (!page) throw new ProblemError(503, 'not_built', NOT_BUILT)
  reply
    .status(status)
    .type('text/html; charset=utf-8')
    .headers({
      'cache-control': 'no-cache',
      etag: page.etag,
      vary: 'accept-encoding',
      'server-timing': LOGIN_COOKIE.test(request.headers.cookie ?? '') ? 'login' : 'visitor',
    })
  if (status === 200 && request.headers['if-none-match'] === page.etag) return reply.status(304).send()
  // Looks for "br" as a separate token that isn't disabled with q=0.
  const takesBrotli = /(^|,)\s*br\s*(;\s*q=(1|0\.0*[1-9])[\d.]*\s*)?(,|$)/.test(
    String(request.headers['accept-encoding'] ?? ''),
  )
  return takesBrotli ? reply.header('content-encoding', 'br').send(page.brotli) : reply.send(page.plain)
}
