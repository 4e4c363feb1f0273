// Limits on guessing at what someone signs in with. They hold for whoever guesses, not for the owner.
import type { FastifyRequest } from 'fastify'
import type { Limit } from '#kernel/endpoint.ts'
import type { Tx } from '#platform/db/db.server.ts'
import { forgetLimit, hitLimit, networkOf, undoHit } from '#platform/http/rate-limit.server.ts'
import { type AccountServices, knownBrowserHash } from './login.server.ts'
import { isKnownBrowser } from './login-queries.server.ts'

interface Guess {
  key: string
  /** The account that's guessed at. */
  userId: string
  /** From one network, or from one browser that has signed in to the account before. */
  each: Limit
  /**
   * Across all networks. Browsers that have signed in before don't count toward it and aren't blocked by it
   * (promise A20).
   */
  all: Limit
}

/** A counted guess, and how many seconds to wait if it's one too many. */
interface Counted {
  keys: string[]
  wait: number | undefined
}

export async function countGuess(
  services: AccountServices,
  tx: Tx,
  request: FastifyRequest,
  { key, userId, each, all }: Guess,
): Promise<Counted> {
  const browser = knownBrowserHash(services, request, userId)
  const isKnown = browser && (await isKnownBrowser(tx, userId, browser))
  const limits = isKnown
    ? [{ key: `${key}:${browser.toString('base64url')}`, limit: each }]
    : [
        { key: `${key}:${networkOf(request.ip)}`, limit: each },
        { key, limit: all },
      ]
  const keys = limits.map((one) => one.key)
  for (const { key: counted, limit } of limits) {
    const wait = await hitLimit(tx, counted, limit)
    if (wait !== undefined) return { keys, wait }
  }
  return { keys, wait: undefined }
}

/**
 * Clears what was counted once a guess was right. After a sign-in to the account, its wrong passwords from here no
 * longer count. After one to a sign-up, just this attempt doesn't: anyone can make a sign-up, and must not reset the
 * count of their guesses at the account.
 */
export async function clearGuesses(tx: Tx, [own, all]: string[], isOwner: boolean): Promise<void> {
  if (own) await (isOwner ? forgetLimit : undoHit)(tx, own)
  if (all) await undoHit(tx, all)
}
