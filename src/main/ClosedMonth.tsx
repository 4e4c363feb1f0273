import { useEffect, useState } from 'react'
import { useActsForAll } from '#features/accounts/client.web.ts'
import { monthLabel } from '#kernel/month.ts'
import { type MonthToReopen, monthToReopen } from '#features/access/closed-month.ts'
import { whenRefused } from '#platform/api.web.ts'
import { late } from '#platform/ui/late.tsx'
import { useToast } from '#platform/ui/Toast.tsx'

const ReopenDialog = late(async () => (await import('#features/months/ReopenDialog.tsx')).ReopenDialog)

interface Question {
  closed: MonthToReopen
  answer: (isReopened: boolean) => void
}

/**
 * When a change affects a closed month, asks for the user's reason for reopening it. After that,
 * platform/api.web.ts sends the change again.
 */
export function ClosedMonth() {
  const closes = useActsForAll()
  const toast = useToast()
  const [question, setQuestion] = useState<Question>()
  useEffect(() => {
    // Several changes can run into the same closed month at once, but only one dialog is shown.
    let before: Promise<unknown> = Promise.resolve()
    const ask = (closed: MonthToReopen) =>
      new Promise<boolean>((resolve) => {
        setQuestion({
          closed,
          answer: (isReopened) => {
            setQuestion(undefined)
            resolve(isReopened)
          },
        })
      })
    return whenRefused('month_closed', (problem) => {
      const closed = monthToReopen(problem)
      if (!closed) return Promise.resolve(false)
      if (!closes) {
        toast.error(`${monthLabel(closed.month)} is closed`, 'Ask an owner or a parent to reopen it.')
        return Promise.resolve(false)
      }
      const asked = before.then(() => ask(closed))
      before = asked
      return asked
    })
  }, [closes, toast])
  return question && <ReopenDialog closed={question.closed} onDone={question.answer} />
}
