// The mails about sessions that wait. Addresses are read when the mail is written: who ended a link meanwhile gets none.
import { displayName } from '#features/accounts/account.ts'
import { insertLinkToken, linkForMail } from '#features/links/queries.server.ts'
import { addressFor, insertUnsubscribe, isOptedOut } from '#features/notices/queries.server.ts'
import { addDays, dayIn, daysOfMonth } from '#kernel/calendar-day.ts'
import { formatHours, type Minutes } from '#kernel/duration.ts'
import { monthLabel } from '#kernel/month.ts'
import { ownWorkspace } from '#features/workspaces/queries.server.ts'
import { plainName } from '#kernel/plain-name.ts'
import { newToken, tokenHash } from '#platform/http/token.server.ts'
import type { MailWriter } from '#platform/mail/send-mail.server.ts'
import { type MailContent, renderMail } from '#platform/mail/template.server.ts'
import { listProposed } from '#features/proposals/queries.server.ts'
import { countSentBack, type MonthOver, monthOver, whatWaits } from './queries.server.ts'

/** The writers of these mails, by kind. */
export function verificationMails({
  baseUrl,
  now,
}: {
  baseUrl: string
  now: () => Date
}): Record<string, MailWriter> {
  return {
    async waiting_sessions(tx, row) {
      const month = typeof row.data.month === 'string' ? row.data.month : undefined
      const days = month ? daysOfMonth(month) : { to: addDays(dayIn(now(), 'UTC'), 1) }
      const end = newToken()
      const link = typeof row.data.link_id === 'string' ? await linkForMail(tx, row.data.link_id) : undefined
      const linkId = String(row.data.link_id)
      const notice = month ? 'month_ready' : 'daily_digest'
      const recipient = row.userId ? await addressFor(tx, row.userId, notice) : link?.email
      const waiting = row.userId
        ? await whatWaits(tx, { tutorUserId: row.userId }, days)
        : link && (await whatWaits(tx, { linkId }, days))
      if (
        !recipient ||
        !waiting ||
        waiting.sessions === 0 ||
        (!row.userId && (await isOptedOut(tx, recipient)))
      )
        return undefined
      await insertUnsubscribe(tx, end, row.userId ? { userId: row.userId, notice } : { address: recipient })
      const token = newToken()
      if (link) await insertLinkToken(tx, link.workspace_id, linkId, tokenHash(token), now())
      const sum = `${count(waiting.sessions)}, ${formatHours(waiting.minutes as Minutes)} hours together`
      return renderMail(recipient, {
        subject: month ? `${monthLabel(month)} is ready to confirm` : `${count(waiting.sessions)} to confirm`,
        paragraphs: [
          link
            ? `${plainName(displayName({ full_name: link.full_name, email: link.family_email }), 'A family')} logged lessons with you that wait for your confirmation: ${sum}.`
            : `Families logged lessons with you that wait for your confirmation: ${sum}.`,
          month
            ? 'Once everything is confirmed, both of you can get the signed-off statement of the month.'
            : 'Confirm what took place, and send back what is not right.',
        ],
        button: {
          label: 'See the sessions',
          url: link ? `${baseUrl}/confirm#${token}` : `${baseUrl}/to-confirm`,
        },
        footer: 'There is one such mail a day at the most, and only when there is something new.',
        unsubscribeUrl: `${baseUrl}/unsubscribe?token=${end}`,
      })
    },
    family_waiting: familyWaiting(baseUrl),
    // Asked for by a version that told of nothing else.
    sent_back: familyWaiting(baseUrl),
    month_over: monthOverMail(baseUrl),
  }
}

/** To a family: what tutors sent back or logged for it. */
function familyWaiting(baseUrl: string): MailWriter {
  return async (tx, row) => {
    const recipient = row.userId && (await addressFor(tx, row.userId, 'daily_digest'))
    const family = row.userId && (await ownWorkspace(tx, row.userId))
    if (!recipient || !row.userId || !family) return undefined
    const sentBack = await countSentBack(tx, family)
    const proposed = (await listProposed(tx, family)).length
    if (sentBack + proposed === 0) return undefined
    const end = newToken()
    await insertUnsubscribe(tx, end, { userId: row.userId, notice: 'daily_digest' })
    return renderMail(recipient, {
      ...aboutWaiting(sentBack, proposed),
      button: { label: 'See what waits for you', url: `${baseUrl}/dashboard` },
      footer: 'You get at most one such email a day, and only when there is something new.',
      unsubscribeUrl: `${baseUrl}/unsubscribe?token=${end}`,
    })
  }
}

/** To a family: a month that is over. */
function monthOverMail(baseUrl: string): MailWriter {
  return async (tx, row) => {
    const month = String(row.data.month)
    const recipient = row.userId && (await addressFor(tx, row.userId, 'month_ready'))
    const family = row.userId && (await ownWorkspace(tx, row.userId))
    const over = family && (await monthOver(tx, family, month))
    if (!recipient || !row.userId || !over || over.sessions + over.proposed === 0) return undefined
    const end = newToken()
    await insertUnsubscribe(tx, end, { userId: row.userId, notice: 'month_ready' })
    return renderMail(recipient, {
      ...aboutMonth(month, over),
      button: { label: 'See the month', url: `${baseUrl}/summary?month=${month}` },
      footer: 'You get this email once a month, after a month with a connected tutor.',
      unsubscribeUrl: `${baseUrl}/unsubscribe?token=${end}`,
    })
  }
}

const count = (sessions: number) => (sessions === 1 ? '1 session' : `${sessions} sessions`)

type Words = Pick<MailContent, 'subject' | 'paragraphs'>

/** What waits for a family: sessions that tutors sent back, and sessions that they logged. */
function aboutWaiting(sentBack: number, proposed: number): Words {
  const subject =
    proposed === 0
      ? `A tutor sent ${count(sentBack)} back`
      : sentBack === 0
        ? `A tutor logged ${count(proposed)} for you`
        : `${count(sentBack + proposed)} waiting for you`
  return {
    subject,
    paragraphs: [
      ...(sentBack > 0
        ? [
            `${sentBack === 1 ? 'One session does' : `${sentBack} sessions do`} not look right to your tutor. The note says why. Correct it, or answer.`,
          ]
        : []),
      ...(proposed > 0
        ? [
            `${proposed === 1 ? 'One session that a tutor logged is' : `${proposed} sessions that a tutor logged are`} not in your log yet. Accept, correct or decline ${proposed === 1 ? 'it' : 'them'}.`,
          ]
        : []),
    ],
  }
}

/** A family's month that is over: confirmed as a whole, or what is left to do, by whom. */
function aboutMonth(month: string, over: MonthOver): Words {
  const sum = `${count(over.sessions)}, ${formatHours(over.minutes as Minutes)} hours together`
  if (over.confirmed === over.sessions && over.proposed === 0)
    return {
      subject: `${monthLabel(month)} is confirmed`,
      paragraphs: [
        `Your tutor confirmed every session of the month: ${sum}. The signed-off statement is ready.`,
      ],
    }
  const open = [
    over.sent_back > 0 && `${over.sent_back} sent back to you`,
    over.proposed > 0 && `${over.proposed} logged by a tutor and not yet accepted by you`,
    over.waiting > 0 && `${over.waiting} waiting for your tutor`,
  ].filter((part) => part !== false)
  return {
    subject: `${monthLabel(month)} is ready to confirm`,
    paragraphs: [
      `${over.sessions > 0 ? `With connected tutors you logged ${sum}. ` : ''}Still open: ${open.join(', ')}.`,
      'Once everything is confirmed, both of you can get the signed-off statement of the month.',
    ],
  }
}
