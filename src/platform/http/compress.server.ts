// Compresses API responses. Static pages and files are compressed at build time, and PDF and ZIP files are
// already compressed.
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

/** Smaller responses fit in one packet even uncompressed. */
const LEAST_BYTES = 1024
/** Up to this size, it's faster to compress on the main thread than to hand the work to another thread. */
const MOST_AT_ONCE_BYTES = 32 * 1024
const TYPES = /^(?:application\/(?:problem\+)?json|text\/(?:csv|calendar|html|plain))\b/
/** A fast compression level. Higher ones take several times as long and save only a few percent. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const GZIP = { level: 5 }

/** The supported encodings, best first. */
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

/**
 * Compresses text responses over 1 kB if the caller accepts compression. Those over 32 kB are compressed on
 * another thread.
 */
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

/**
 * The best encoding that the caller accepts (RFC 9110, section 12.5.3). A weight of zero means "not
 * acceptable".
 */
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
