import { Disclosure } from '#platform/ui/Disclosure.tsx'

/** How to get a calendar's file. */
export function CalendarHelp() {
  return (
    <Disclosure title="How to get your calendar’s file">
      <dl className="grid gap-2 pb-1 text-small text-ink-2">
        <div>
          <dt className="font-semibold text-ink">Google Calendar</dt>
          <dd>On a computer: Settings, Import &amp; export, Export. Choose the ZIP file here as it is.</dd>
        </div>
        <div>
          <dt className="font-semibold text-ink">Apple Calendar</dt>
          <dd>On a Mac: select the calendar, then File, Export, Export.</dd>
        </div>
        <div>
          <dt className="font-semibold text-ink">Outlook</dt>
          <dd>In Outlook for Windows: open the calendar, then File, Save Calendar.</dd>
        </div>
      </dl>
    </Disclosure>
  )
}
