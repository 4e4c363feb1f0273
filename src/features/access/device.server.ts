// What a link's caller sends: the link's token and, if the link was handed over, the cookie of the device that
// claimed it.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookieRules } from '#platform/http/cookies.server.ts'
import { newToken, tokenHash } from '#platform/http/token.server.ts'

/** A token is 43 characters long. */
const MAX_TOKEN = 100
/** Browsers keep no cookie for longer. Each opening of the page starts it anew. */
const DEVICE_DAYS = 400

/** The token of a link, in the header Tutorlog-Link; undefined if there's no such header. */
export function linkToken({ headers }: FastifyRequest): string | undefined {
  return headers['tutorlog-link']?.toString()
}

/** The hash of a link's token; undefined if it can't be one. */
export function linkHash(request: FastifyRequest): Buffer | undefined {
  const token = linkToken(request)
  return token && token.length <= MAX_TOKEN ? tokenHash(token) : undefined
}

/** Each link has a cookie of its own, so that a device can hold several and none says anything about another. */
const cookieName = (prefix: string, hash: Buffer) => `${prefix}link-${hash.toString('hex').slice(0, 16)}`

/** The hash of the cookie that a browser has for its handed-over link; undefined if it has none. */
export function deviceHash(request: FastifyRequest, baseUrl: string): Buffer | undefined {
  const hash = linkHash(request)
  const cookie = hash && request.cookies[cookieName(cookieRules(baseUrl).prefix, hash)]
  return cookie && cookie.length <= MAX_TOKEN ? tokenHash(cookie) : undefined
}

/** Gives the browser a cookie for its handed-over link, or keeps the one it has for longer. */
export function keepDevice(request: FastifyRequest, reply: FastifyReply, baseUrl: string): void {
  const hash = linkHash(request)
  if (!hash) return
  const { prefix, flags } = cookieRules(baseUrl)
  const name = cookieName(prefix, hash)
  const known = deviceHash(request, baseUrl) && request.cookies[name]
  reply.setCookie(name, known ?? newToken(), {
    ...flags,
    sameSite: 'strict',
    maxAge: DEVICE_DAYS * 86_400,
  })
}
