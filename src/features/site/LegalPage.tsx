import { LAST_UPDATED, type LegalText } from './legal-text.ts'
import { TextPage } from './parts/TextPage.tsx'

export function LegalPage({ text }: { text: LegalText }) {
  return (
    <TextPage
      title={text.title}
      note={`Last updated: ${LAST_UPDATED}`}
      summary={text.summary}
      contents={text.sections.map(([heading]) => ({ id: anchor(heading), heading }))}
      isNumbered
    >
      {text.sections.map(([heading, ...paragraphs], at) => (
        <section key={heading} className="mt-9" aria-labelledby={anchor(heading)}>
          <h2 id={anchor(heading)}>
            {at + 1}. {heading}
          </h2>
          {paragraphs.map((paragraph) => (
            <p key={paragraph} className="mt-2.5 text-ink-2">
              {paragraph}
            </p>
          ))}
        </section>
      ))}
    </TextPage>
  )
}

function anchor(heading: string): string {
  return heading.toLowerCase().replaceAll(/\W+/g, '-')
}
