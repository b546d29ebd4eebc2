/** Where links are made, and their content is replaced. */
export const UPLOAD = {
  'Upload a File': 'Datei hochladen',
  'Set your price and generate a paywall link.':
    'Legen Sie Ihren Preis fest und erstellen Sie einen Bezahllink.',
  'Uploading requires JavaScript, which is turned off in this browser.':
    'Zum Hochladen wird JavaScript benötigt, das in diesem Browser ausgeschaltet ist.',
  'Upload successful. Paywall link created.':
    'Erfolgreich hochgeladen. Der Bezahllink wurde erstellt.',
  'The cover was not saved.': 'Das Titelbild wurde nicht gespeichert.',
  'Your link is ready': 'Ihr Link ist fertig',
  'This is how others see it.': 'So sehen ihn andere.',
  'See it as a buyer': 'Als Käufer ansehen',
  'Upload another file': 'Weitere Datei hochladen',
  'Go to Dashboard': 'Zur Übersicht',
  '“{name}” has new content.': '„{name}“ hat neuen Inhalt.',
  'Choose what “{name}” sells from now on.': 'Wählen Sie aus, was „{name}“ ab jetzt verkauft.',
  'Buyers keep the version they bought, and can get the new one too.':
    'Käufer behalten die gekaufte Version und können auch die neue erhalten.',
  'The content was replaced.': 'Der Inhalt wurde ersetzt.',
  'See the link': 'Link ansehen',
  Replace: 'Ersetzen',
  'Buyers are taken to this address after they pay.':
    'Käufer werden nach dem Bezahlen zu dieser Adresse weitergeleitet.',
  'Sign in to continue': 'Anmelden, um fortzufahren',
  'What you entered is kept.': 'Ihre Eingaben bleiben erhalten.',
  'You will have to choose the file again.': 'Die Datei müssen Sie erneut auswählen.',
  'Uploading...': 'Wird hochgeladen …',
  'The web address was filled in.': 'Die Webadresse wurde eingetragen.',
  'Creating the link...': 'Der Link wird erstellt …',
  'or sell a web address': 'oder eine Webadresse verkaufen',
  'or upload a file': 'oder eine Datei hochladen',
  'Seller name (optional)': 'Anbietername (optional)',
  'More options': 'Weitere Optionen',
  'What is in it, and who it is for. At most {count} characters.':
    'Was enthalten ist und für wen es gedacht ist. Höchstens {count} Zeichen.',
  'Drop files anywhere': 'Dateien irgendwo ablegen',
  'Cover (optional)': 'Titelbild (optional)',
  'A picture that shows what you sell, at most 10 MB. 16:9 fits best.':
    'Ein Bild, das zeigt, was Sie verkaufen, höchstens 10\u00a0MB. Am besten passt 16:9.',
  'Choose File': 'Datei auswählen',
  'Add more files': 'Weitere Dateien hinzufügen',
  'Choose again': 'Erneut auswählen',
  'Drop files or a folder anywhere, or': 'Legen Sie Dateien oder einen Ordner irgendwo ab oder',
  'Add more': 'Weitere hinzufügen',
  Folder: 'Ordner',
  'Add a folder': 'Ordner hinzufügen',
  '“Choose File” replaces this file, “Add more” keeps it.':
    '„Datei auswählen“ ersetzt diese Datei, „Weitere hinzufügen“ behält sie.',
  'Your upload was interrupted.': 'Das Hochladen wurde unterbrochen.',
  'Choose the same files again to continue where it stopped.':
    'Wählen Sie dieselben Dateien erneut aus, dann geht es an derselben Stelle weiter.',
  'Start over': 'Von vorn beginnen',
  '{count} files, {size}.': '{count} Dateien, {size}.',
  'Up to {count} files, at most {size} each.': 'Bis zu {count} Dateien, jede höchstens {size}.',
  'You can upload up to {quota} more.': 'Sie können noch bis zu {quota} hochladen.',
  'A link can sell up to {count} files, and these would be more. Nothing was added. To sell more, put them into one ZIP file.':
    'Ein Link kann bis zu {count} Dateien verkaufen, und das wären mehr. Es wurde nichts hinzugefügt. Um mehr zu verkaufen, packen Sie sie in eine ZIP-Datei.',
  '{name} was chosen.': '{name} wurde ausgewählt.',
  'No file was found there.': 'Dort wurde keine Datei gefunden.',
  '1 hidden file was left out.': '1 versteckte Datei wurde ausgelassen.',
  '{count} hidden files were left out.': '{count} versteckte Dateien wurden ausgelassen.',
  'Another file has the same name, so this one is called {name}.':
    'Eine andere hat denselben Namen, daher heißt diese {name}.',
  'Choose 1 file again, or remove what is missing.':
    'Wählen Sie 1 Datei erneut aus oder entfernen Sie, was fehlt.',
  'Choose {count} files again, or remove what is missing.':
    'Wählen Sie {count} Dateien erneut aus oder entfernen Sie, was fehlt.',
  'These files take up {size}, and there is room for {room}.':
    'Diese Dateien brauchen {size}, und es ist Platz für {room}.',
  '{name} is now {place} of {count}.': '{name} ist jetzt {place} von {count}.',
  '{name} was removed.': '{name} wurde entfernt.',
  'Move {name} up': '{name} nach oben verschieben',
  'Move {name} down': '{name} nach unten verschieben',
  'Cancel {name}': '{name} abbrechen',
  'Remove {name}': '{name} entfernen',
  'New name of {name}': 'Neuer Name von {name}',
  'Rename {name}': '{name} umbenennen',
  'Pause {name}': '{name} pausieren',
  'Resume {name}': '{name} fortsetzen',
  Uploaded: 'Hochgeladen',
  '{percent}% uploaded': '{percent}\u00a0% hochgeladen',
  '{percent}% uploaded.': '{percent}\u00a0% hochgeladen.',
  Failed: 'Fehlgeschlagen',
  'Paused at {percent}%': 'Pausiert bei {percent}\u00a0%',
  'Waiting at {percent}%': 'Wartet bei {percent}\u00a0%',
  'Trying again...': 'Wird erneut versucht …',
  'You are offline. The upload continues when you are back online.':
    'Sie sind offline. Das Hochladen geht weiter, sobald Sie wieder online sind.',
  'The upload was interrupted. Trying again...':
    'Das Hochladen wurde unterbrochen. Es wird erneut versucht …',
  'Paused. What has been uploaded is kept.':
    'Pausiert. Was schon hochgeladen ist, bleibt erhalten.',
  '{sent} of {total}': '{sent} von {total}',
  '{size}/s, {time} left': '{size}/s, noch {time}',
  'a few seconds': 'wenige Sekunden',
  '{count} seconds': '{count} Sekunden',
  '{count} minutes': '{count} Minuten',
  '{count} hours': '{count} Stunden',
  '{done} of {count} files uploaded': '{done} von {count} Dateien hochgeladen',
  'Select a file first.': 'Wählen Sie zuerst eine Datei aus.',
  'User not authenticated.': 'Sie sind nicht angemeldet.',
  'Failed to upload.': 'Das Hochladen ist fehlgeschlagen.',
  'The file was changed or removed during the upload. Choose it again.':
    'Die Datei wurde während des Hochladens geändert oder entfernt. Wählen Sie sie erneut aus.',
} as const;
