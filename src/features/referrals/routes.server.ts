// Routes for inviting friends and for opting out of invitations.
import type { FastifyInstance } from 'fastify'
import { emailKey } from '#kernel/text.ts'
import { addressHash, unsubscribe } from '#features/notices/queries.server.ts'
import { done, refused } from '#kernel/outcome.ts'
import { hitLimit } from '#platform/http/rate-limit.server.ts'
import { serve } from '#features/access/operation.server.ts'
import { type Services, tooMany } from '#features/access/admission.server.ts'
import { queueMail } from '#platform/mail/outbox.server.ts'
import { InviteFriend, OptOut, PER_ACCOUNT, PER_ADDRESS } from './invitation.ts'
import { readReferralCode, rewardTotals } from './queries.server.ts'
import { ReadReferral } from './referral.ts'

interface ReferralServices extends Services {
  admission: { isOpen: boolean }
  trialDays: number
  referralBonusDays: number
}

export function addReferralRoutes(app: FastifyInstance, services: ReferralServices): void {
  serve(app, services, ReadReferral, async ({ tx, user }) => {
    const code = await readReferralCode(tx, user.id)
    const { friends, days, credited, due } = await rewardTotals(tx, user.id)
    return done({
      code,
      link: referralLink(services.baseUrl, code),
      trial_days: services.trialDays,
      bonus_days: services.referralBonusDays,
      friends_joined: friends,
      days_earned: days,
      days_credited: credited,
      days_due: due,
    })
  })

  // Opt-outs are checked later, when the email is written, so the response doesn't reveal who opted out.
  serve(app, services, InviteFriend, async ({ tx, user, input }) => {
    if (!services.admission.isOpen) return refused('invitations_off')
    if (emailKey(input.friend_email) === emailKey(user.email)) return refused('own_address')
    const wait = await services.db.asSystem(
      async (system) =>
        (await hitLimit(system, `invitations:${user.id}`, PER_ACCOUNT)) ??
        hitLimit(system, `invited:${addressHash(input.friend_email).toString('base64url')}`, PER_ADDRESS),
    )
    if (wait !== undefined) throw tooMany(wait)
    await queueMail(tx, {
      userId: user.id,
      recipient: input.friend_email,
      kind: 'invitation',
      data: { friend_name: input.friend_name ?? null },
    })
    return done({ message: 'The invitation is on its way.' })
  })

  serve(app, services, OptOut, async ({ tx, input }) =>
    (await unsubscribe(tx, input.token))
      ? done({ message: 'No more invitations will be sent to this address.' })
      : refused('unknown_link'),
  )
}

export function referralLink(baseUrl: string, code: string): string {
  return `${baseUrl}/signup?ref=${code}`
}
