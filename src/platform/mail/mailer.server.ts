// Where mails go: an SMTP server, or a mailbox of files on this machine when there is none (decisions, section 8).
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { isServerAway, MailServerAway } from './outage.server.ts'

export interface Mail {
  to: string
  subject: string
  text: string
  html: string
  /** Where one click ends mails of this kind (RFC 8058). */
  unsubscribeUrl?: string
  /** Whom an answer goes to, where that is not the sender. */
  replyTo?: string
}

/** A mail as the local mailbox shows it (contract, HTTP). */
export interface SentMail extends Omit<Mail, 'replyTo' | 'unsubscribeUrl'> {
  id: string
  from: string
  sent_at: string
}

/** Sends one mail; throws when the server did not take it. The id is the same for every try of one mail. */
export type SendMail = (id: string, mail: Mail) => Promise<void>

/** Sends through an SMTP server; throws MailServerAway when the failure is none of the mail's own. Mails are text only: no file or address is ever read for one (promise I9). */
export function smtpMailer(smtpUrl: string, from: string): SendMail {
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 2,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as Parameters<typeof createTransport>[0])
  return async (id, mail) => {
    const message = {
      from,
      to: { name: '', address: mail.to },
      ...(mail.replyTo ? { replyTo: { name: '', address: mail.replyTo } } : {}),
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      messageId: `<${id}@${domainOf(from)}>`,
      headers: {
        'Auto-Submitted': 'auto-generated',
        ...(mail.unsubscribeUrl
          ? {
              'List-Unsubscribe': `<${mail.unsubscribeUrl}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }
          : {}),
      },
    }
    await transport.sendMail(message).catch((error: unknown) => {
      throw isServerAway(error) ? new MailServerAway(error) : error
    })
  }
}

/** Puts mails into a folder as one JSON file each. */
export function mailboxMailer(folder: string, from: string, now: () => Date): SendMail {
  return async (id, mail) => {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const { to, subject, text, html } = mail
    const sent: SentMail = { id, to, from, subject, text, html, sent_at: now().toISOString() }
    const unfinished = join(folder, `${id}.part`)
    await writeFile(unfinished, JSON.stringify(sent), { mode: 0o600 })
    await rename(unfinished, join(folder, `${id}.json`))
  }
}

/** The mails of the local mailbox, newest first, of one address where one is named. */
export async function readMailbox(folder: string, to?: string): Promise<SentMail[]> {
  const files = await readdir(folder).catch(() => [])
  const mails = await Promise.all(
    files
      .filter((file) => file.endsWith('.json'))
      .map(async (file) => JSON.parse(await readFile(join(folder, file), 'utf8')) as SentMail),
  )
  return mails
    .filter((mail) => to === undefined || mail.to.toLowerCase() === to.toLowerCase())
    .sort((a, b) => b.sent_at.localeCompare(a.sent_at))
}

/** Takes mails out of the local mailbox. */
export async function forgetMails(folder: string, isOld: (mail: SentMail) => boolean): Promise<void> {
  for (const mail of await readMailbox(folder))
    if (isOld(mail)) await rm(join(folder, `${mail.id}.json`), { force: true })
}

function domainOf(from: string): string {
  return /@([^>\s]+)/.exec(from)?.[1] ?? 'localhost'
}
