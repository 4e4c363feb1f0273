import { Copy } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '#platform/ui/Button.tsx'
import { SectionHeading } from '#platform/ui/Card.tsx'
import { TextArea } from '#platform/ui/Field.tsx'
import { useToast } from '#platform/ui/Toast.tsx'

export function CopyCard({ text }: { text: string }) {
  const toast = useToast()
  const card = useRef<HTMLDivElement>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      toast.success('Copied!', 'Email content copied to clipboard')
    } catch {
      // Writing to the clipboard requires permission and HTTPS. If it fails, the text is selected so the user
      // can copy it manually.
      card.current?.querySelector('textarea')?.select()
      toast.error('Not copied', 'The text is selected, so you can copy it yourself.')
    }
  }
  return (
    <section aria-labelledby="copy" className="lg:col-span-2">
      <SectionHeading>
        <span id="copy">Copy email text</span>
      </SectionHeading>
      <div className="card grid gap-3 p-5" ref={card}>
        <TextArea label="Invitation text" readOnly rows={11} value={text} />
        <Button tone="secondary" className="justify-self-start" onClick={() => void copy()}>
          <Copy aria-hidden="true" />
          Copy text
        </Button>
      </div>
    </section>
  )
}
