import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { problemTitle } from '#platform/api.web.ts'
import { Button, IconButton } from '#platform/ui/Button.tsx'
import { ConfirmDialog } from '#platform/ui/ConfirmDialog.tsx'
import { LoadFailed } from '#platform/ui/Empty.tsx'
import { SettingRow } from '#platform/ui/SettingRow.tsx'
import { LoadingCard } from '#platform/ui/Skeleton.tsx'
import { useToast } from '#platform/ui/Toast.tsx'
import { useForgetNames, useLearnedNames } from './client.web.ts'

/** The names that were learned from this account's corrections. Nothing is shown until there are any. */
export function LearnedNamesSection() {
  const toast = useToast()
  const learned = useLearnedNames()
  const forget = useForgetNames()
  const [asksAll, setAsksAll] = useState(false)
  if (learned.isPending)
    return <LoadingCard label="Loading the names we learned..." lines={['h-5 w-40', 'h-4 w-56']} />
  if (learned.isError)
    return <LoadFailed title="The names we learned didn’t load" onRetry={() => void learned.refetch()} />
  const { names } = learned.data
  if (names.length === 0) return null
  const remove = (id: string | undefined, done: string) =>
    forget.mutate(id, {
      onSuccess: () => toast.success(done),
      onError: (error) => toast.error('Error', problemTitle(error, 'Failed to forget the name')),
      onSettled: () => setAsksAll(false),
    })
  return (
    <section className="card list" aria-labelledby="learned-names">
      <div className="flex min-h-16 flex-wrap items-center justify-between gap-3 px-5 py-3">
        <div className="min-w-32 flex-1">
          <h2 id="learned-names">Names Tutorlog learned</h2>
          <p className="text-small leading-snug text-ink-2">
            From your corrections when you log by voice or by typing. Only you use and see them.
          </p>
        </div>
        {names.length > 1 && (
          <Button tone="secondary" size="small" onClick={() => setAsksAll(true)}>
            Forget all
          </Button>
        )}
      </div>
      {names.map(({ id, words, name }) => (
        <SettingRow key={id} title={`“${words}” is ${name}`}>
          <IconButton
            label={`Forget that “${words}” is ${name}`}
            onClick={() => remove(id, `“${words}” forgotten`)}
          >
            <Trash2 className="i" aria-hidden="true" />
          </IconButton>
        </SettingRow>
      ))}
      {asksAll && (
        <ConfirmDialog
          title="Forget all names?"
          text="We’ll ask again when we don’t know who you mean."
          confirmLabel="Forget all"
          busyText="Forgetting..."
          isBusy={forget.isPending}
          onConfirm={() => remove(undefined, 'All names forgotten')}
          onCancel={() => setAsksAll(false)}
        />
      )}
    </section>
  )
}
