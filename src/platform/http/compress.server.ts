// Compresses what the API answers. Built pages and files come compressed from the build, and PDF and ZIP files are already.
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

/** A smaller response fits in one packet either way. */
const LEAST_BYTES = 1024
/** What's compressed in less time than handing it to another thread takes. */
const MOST_AT_ONCE_BYTES = 32 * 1024
const TYPES = /^(?:application\/(?:problem\+)?json|text\/(?:csv|calendar|html|plain))\b/
/** A fast quality: the next ones up take several times as long for a few percent. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const GZIP = { level: 5 }

/** The encodings we have, the better first. */
const ENCODINGS = {
  br: {
    atOnce: (bytes: Buffer) => brotliCompressSync(bytes, BROTLI),
    elsewhere: (bytes: Buffer) => promisify(brotliCompress)(bytes, BROTLI),
  },
  gzip: {
    atOnce: (bytes: Buffer) => gzipSync(bytes, GZIP),
    elsewhere: (bytes: Buffer) => promisify(gzip)(bytes, GZIP),
  },
} as const

/** Compresses text of over 1 kB for callers that take it; what's over 32 kB is compressed in another thread. */
export function addCompression(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isText = typeof payload === 'string' || payload instanceof Buffer
    if (!isText || !TYPES.test(String(reply.getHeader('content-type') ?? ''))) return done(null, payload)
    if (Buffer.byteLength(payload) < LEAST_BYTES || reply.hasHeader('content-encoding'))
      return done(null, payload)
    reply.header('vary', [reply.getHeader('vary'), 'accept-encoding'].flat().filter(Boolean).join(', '))
    const encoding = encodingFor(request.headers['accept-encoding'])
    if (!encoding) return done(null, payload)
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
    const { atOnce, elsewhere } = ENCODINGS[encoding]
    reply.header('content-encoding', encoding).removeHeader('content-length')
    if (bytes.length <= MOST_AT_ONCE_BYTES) return done(null, atOnce(bytes))
    elsewhere(bytes).then((compressed) => done(null, compressed), done)
  })
}

/** The best encoding that a caller takes (RFC 9110, section 12.5.3); one that is named with a weight of zero is refused. */
function encodingFor(accepted: string | string[] = ''): keyof typeof ENCODINGS | undefined {
  const taken = new Set(
    String(accepted)
      .toLowerCase()
      .split(',')
      .filter((one) => !/;\s*q=0(?:\.0*)?\s*$/.test(one))
      .map((one) => one.split(';')[0]?.trim()),
  )
  return (['br', 'gzip'] as const).find((name) => taken.has(name))
}
