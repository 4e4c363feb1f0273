import { Mic, Pencil } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { Button } from '#platform/ui/Button.tsx'
import { PageTitle } from '#platform/ui/PageTitle.tsx'
import { SegmentedTabs } from '#platform/ui/Segmented.tsx'
import { LogSessionForm } from './LogSessionForm.tsx'

type Way = 'voice' | 'manual'

export default function AddSessionPage() {
  const [query, setQuery] = useSearchParams()
  const way: Way = query.get('tab') === 'voice' ? 'voice' : 'manual'
  const show = (next: Way) => setQuery(next === 'voice' ? { tab: 'voice' } : {}, { replace: true })
  return (
    <div className="mx-auto max-w-[46rem]">
      <PageTitle title="Add Session" />
      <SegmentedTabs label="How to add" value={way} onValueChange={show} keepMounted tabs={[
        { value: 'voice', label: 'Voice Input', icon: <Mic className="size-[18px]" aria-hidden="true" />, panel: <VoiceToCome onManual={() => show('manual')} /> },
        { value: 'manual', label: 'Manual Entry', icon: <Pencil className="size-[18px]" aria-hidden="true" />, panel: <LogSessionForm /> },
      ]} />
    </div>
  )
}

function VoiceToCome({ onManual }: { onManual: () => void }) {
  return (
    <div className="card mt-5 p-6 text-center">
      <h2>Voice input is on its way</h2>
      <p className="mt-1.5 text-ink-2">Until it is here, Manual Entry takes a few seconds.</p>
      <Button className="mt-5" onClick={onManual}>Use Manual Entry</Button>
    </div>
  )
}
