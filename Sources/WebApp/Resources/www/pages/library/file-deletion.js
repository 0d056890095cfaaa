import { button } from "../../components/button.js";
import { isBusy, setBusy } from "../../components/field.js";
import { confirm } from "../../components/sheet.js";
import { size } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { deleteImportedFile } from "../../server/storage.js";

/**
 * A button that deletes the file that a recording was imported from, once a person has confirmed it; the recording stays.
 *
 * @param {string} id The recording's.
 * @param {number} bytes Of the file.
 * @param {{ deleted: () => void, failed: (error: unknown) => void }} listener
 */
export function fileDeletion(id, bytes, { deleted, failed }) {
  const words = { size: size(bytes) };
  const press = async () => {
    if (isBusy(element)) return;
    const question = { title: t("storage.file.delete.title", words), detail: t("storage.file.delete.text"), action: t("do.delete") };
    if (!(await confirm(question))) return;
    setBusy(element, t("passcode.working"));
    try {
      await deleteImportedFile(id);
      deleted();
    } catch (error) {
      failed(error);
    } finally {
      setBusy(element, null);
    }
  };
  const element = button({ label: t("storage.file.delete", words), icon: "trash", look: "quiet", onPress: press });
  return element;
}
