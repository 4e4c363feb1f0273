import { Mic, Pencil } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { useMe } from '#features/accounts/client.web.ts'
import { AfterFrame } from '#platform/ui/AfterFrame.tsx'
import { useCovered } from '#platform/ui/covered.web.ts'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { SegmentedTabs } from '#platform/ui/SegmentedTabs.tsx'
import { type Beside, LoadingForm, LogSessionForm } from './LogSessionForm.tsx'
import type { SessionFields } from './session-form.ts'
import { useWaiting } from './waiting.web.ts'

type Way = 'voice' | 'manual'

interface AddSessionPageProps {
  /** The voice tab. It calls onUse to fill in the manual form with the fields it recognized. */
  voice: (options: { isShown: boolean; onUse: (proposed: Partial<SessionFields>) => void }) => ReactNode
  /** Asks tutors for their hourly rate if it isn't set yet. May suspend. */
  ownRate: ReactNode
  beside?: Beside | undefined
}

export default function AddSessionPage({ voice, ownRate, beside }: AddSessionPageProps) {
  useCovered()
  const [query, setQuery] = useSearchParams()
  const handed = useLocation().state as { voice?: unknown } | null
  const [taken, setTaken] = useState<{ count: number; proposed?: Partial<SessionFields> }>({ count: 0 })
  const waiting = useWaiting(useMe()).find(({ id }) => id === query.get('waiting'))
  const way: Way = query.get('tab') === 'voice' || handed?.voice ? 'voice' : 'manual'
  // The voice tab loads when first opened and stays mounted after that.
  const [wasShown, setWasShown] = useState(way === 'voice')
  if (way === 'voice' && !wasShown) setWasShown(true)
  const show = (next: Way) => setQuery(next === 'voice' ? { tab: 'voice' } : {}, { replace: true })
  const use = (proposed: Partial<SessionFields>) => {
    setTaken(({ count }) => ({ count: count + 1, proposed }))
    show('manual')
    scrollTo(0, 0)
  }
  return (
    <div className="mx-auto max-w-[46rem]">
      <PageTitle title="Add Session" />
      <SegmentedTabs
        label="How to add"
        value={way}
        onValueChange={show}
        keepMounted
        tabs={[
          {
            value: 'voice',
            label: 'Voice Input',
            icon: <Mic className="size-[18px]" aria-hidden="true" />,
            panel: wasShown && voice({ isShown: way === 'voice', onUse: use }),
          },
          {
            value: 'manual',
            label: 'Manual Entry',
            icon: <Pencil className="size-[18px]" aria-hidden="true" />,
            panel: (
              // The form waits for the question above it to load, so that the form doesn't move.
              <AfterFrame>
                <Suspense fallback={<LoadingForm />}>
                  {ownRate}
                  <LogSessionForm
                    key={waiting?.id ?? taken.count}
                    proposed={taken.proposed}
                    waiting={waiting}
                    beside={beside}
                  />
                </Suspense>
              </AfterFrame>
            ),
          },
        ]}
      />
    </div>
  )
}
