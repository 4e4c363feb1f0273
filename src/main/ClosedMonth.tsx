import { lazy, Suspense, useEffect, useState } from 'react'
import { useActsForAll } from '#features/accounts/client.web.ts'
import { monthLabel } from '#kernel/month.ts'
import type { Problem } from '#kernel/endpoint.ts'
import { whenMonthClosed } from '#platform/api.web.ts'
import { useToast } from '#platform/ui/Toast.tsx'

const ReopenDialog = lazy(async () => ({
  default: (await import('#features/months/ReopenDialog.tsx')).ReopenDialog,
}))

type Closed = NonNullable<Problem['closed_month']>
interface Question {
  closed: Closed
  answer: (isReopened: boolean) => void
}

/**
 * When a change affects a closed month, asks for the user's reason for reopening it. After that,
 * platform/api.web.ts sends the change again.
 */
export default function ClosedMonth() {
  const closes = useActsForAll()
  const toast = useToast()
  const [question, setQuestion] = useState<Question>()
  useEffect(() => {
    // Several changes can run into the same closed month at once, but only one dialog is shown.
    let before: Promise<unknown> = Promise.resolve()
    const ask = (closed: Closed) =>
      new Promise<boolean>((resolve) => {
        setQuestion({
          closed,
          answer: (isReopened) => {
            setQuestion(undefined)
            resolve(isReopened)
          },
        })
      })
    whenMonthClosed((closed) => {
      if (!closes) {
        toast.error(`${monthLabel(closed.month)} is closed`, 'Ask an owner or a parent to reopen it.')
        return Promise.resolve(false)
      }
      const asked = before.then(() => ask(closed))
      before = asked
      return asked
    })
    return () => whenMonthClosed(async () => false)
  }, [closes, toast])
  return (
    question && (
      <Suspense fallback={null}>
        <ReopenDialog closed={question.closed} onDone={question.answer} />
      </Suspense>
    )
  )
}
