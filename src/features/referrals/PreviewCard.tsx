import { SectionHeading } from '#platform/ui/Card.tsx'
import type { Invitation } from './invitation.ts'

export function PreviewCard({ invitation }: { invitation: Invitation }) {
  return (
    <section aria-labelledby="preview">
      <SectionHeading>
        <span id="preview">Email preview</span>
      </SectionHeading>
      <div className="card overflow-hidden">
        <p className="border-b border-line bg-sunken px-5 py-3 text-small">
          <span className="text-ink-3">Subject: </span>
          <span className="font-semibold">{invitation.subject}</span>
        </p>
        <div className="grid gap-3 p-5 wrap-anywhere">
          <p>{invitation.greeting}</p>
          {invitation.paragraphs.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          {/* Looks like the email's button, but isn't a link. */}
          <p>
            <span className="btn btn-p btn-sm pointer-events-none">{invitation.button}</span>
          </p>
        </div>
      </div>
    </section>
  )
}
