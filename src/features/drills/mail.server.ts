// The email that tells administrators about a drill that failed.
import { nameOfAccount } from '#features/workspaces/queries.server.ts'
import { firstName } from '#kernel/plain-name.ts'
import type { MailWriter } from '#platform/mail/send-mail.server.ts'
import { renderMail } from '#platform/mail/template.server.ts'

export interface FailedDrill {
  backup: string
  findings: string[]
}

export function drillMails({ baseUrl }: { baseUrl: string }): Record<string, MailWriter> {
  return {
    async restore_drill_failed(tx, row) {
      const { backup, findings } = row.data as unknown as FailedDrill
      return renderMail(row.recipient, {
        subject: 'Last night’s backup could not be restored',
        greets: firstName(row.userId && (await nameOfAccount(tx, row.userId))),
        paragraphs: [
          `Every night, Tutorlog restores its newest backup beside the database and compares the two. This time, something was wrong (${backup}):`,
          ...findings,
          'The database itself wasn’t touched. Make a backup by hand, keep the older ones, and find out why before you need one.',
        ],
        button: { label: 'Open administration', url: `${baseUrl}/admin` },
        footer: 'You get this because you are an administrator.',
      })
    },
  }
}
