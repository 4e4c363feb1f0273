// The jobs that remind people.
import type { CallerDb } from '#features/access/db.server.ts'
import { askAfterClasses, lookAtClasses, remindOfMoney, tellTomorrow } from './commands.server.ts'
import { forgetQuestions } from './queries.server.ts'

/** What is due is in the database, so a time at which the server was down doesn't have to be caught up with. */
export const REMINDER_CRONTAB = ['*/5 * * * * remind', '50 3 * * * forget_questions ?fill=1d', ''].join('\n')

/** The jobs by name. Running one twice, or two at once, is harmless. */
export function reminderJobs(db: CallerDb, now: () => Date): Record<string, () => Promise<void>> {
  return {
    async remind() {
      await lookAtClasses(db, now())
      await askAfterClasses(db, now())
      await tellTomorrow(db, now())
      await remindOfMoney(db, now())
    },
    forget_questions: () => db.asSystem((tx) => forgetQuestions(tx, now())),
  }
}
