package dev.topo.hw.library;

import dev.topo.hw.library.DynamicLoader.MissingLibrary;
import dev.topo.hw.library.NcclLoad.Candidate;
import dev.topo.hw.library.NcclLoad.Link;
import dev.topo.hw.sysfs.FileTree;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Determines the NCCL library that a process would load. */
public record LoadFinder(LibrarySearch search) {
  /** Name that programs link and open, since NCCL 2.0. */
  public static final String SONAME = "libnccl.so.2";

  /** Library that PyTorch loads first, so that its dependencies come from its own wheels. */
  private static final String GLOBAL_DEPENDENCIES = "/lib/libtorch_global_deps.so";

  private static final String TORCH_CUDA = "libtorch_cuda.so";

  private static final Pattern TORCH_VERSION =
      Pattern.compile("^__version__\\b[^=]*=\\s*['\"]([^'\"]*)['\"]", Pattern.MULTILINE);
  private static final Pattern CUDA_VERSION =
      Pattern.compile("^cuda\\b[^=]*=\\s*['\"]([^'\"]*)['\"]", Pattern.MULTILINE);

  /** NCCL of an unknown program that opens {@value #SONAME}. */
  public NcclLoad ofAnyProgram() {
    DynamicLoader loader = new DynamicLoader(search);
    loader.startUnknown();
    return opened("any program", "", loader);
  }

  /**
   * NCCL of a program.
   *
   * @throws dev.topo.hw.library.ElfFormatException if the file is missing or not an ELF file
   */
  public NcclLoad ofProgram(String path) {
    DynamicLoader loader = new DynamicLoader(search);
    loader.start(path);
    return result(path, "", loader);
  }

  /**
   * NCCL of a Python process that imports PyTorch in an environment, with libraries loaded in the
   * order of its {@code __init__.py}.
   */
  public NcclLoad ofPython(PythonEnvironment python) {
    DynamicLoader loader = new DynamicLoader(search);
    if (python.executable().isPresent()) {
      loader.start(python.executable().get());
    } else {
      loader.startUnknown();
    }
    String process = "Python in " + python.name();
    Optional<String> torch = python.torch(search.files());
    if (torch.isEmpty()) {
      return opened(process, "PyTorch is not installed there", loader);
    }
    String about = torch(torch.get()) + " in " + torch.get();
    if (search.files().isFile(torch.get() + GLOBAL_DEPENDENCIES)) {
      loader.open(torch.get() + GLOBAL_DEPENDENCIES, Optional.empty());
    }
    search.files().list(torch.get()).stream()
        .filter(name -> name.startsWith("_C.") && name.endsWith(".so"))
        .findFirst()
        .ifPresent(name -> loader.open(torch.get() + "/" + name, Optional.empty()));
    String cuda = torch.get() + "/lib/" + TORCH_CUDA;
    if (search.files().isFile(cuda) && loader.named(TORCH_CUDA).isEmpty()) {
      loader.open(cuda, Optional.empty());
    }
    return result(process, about, loader);
  }

  /** Text {@code PyTorch 2.9.0+cu130, CUDA 13.0}, from PyTorch's file {@code version.py}. */
  private String torch(String folder) {
    Optional<String> file = search.files().text(folder + "/version.py");
    if (file.isEmpty()) {
      return "PyTorch";
    }
    String version = first(TORCH_VERSION, file.get());
    String cuda = first(CUDA_VERSION, file.get());
    return "PyTorch "
        + (version.isEmpty() ? "of unknown version" : version)
        + (cuda.isEmpty() ? ", built without CUDA" : ", CUDA " + cuda);
  }

  private static String first(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? matcher.group(1) : "";
  }

  private NcclLoad result(String process, String about, DynamicLoader loader) {
    boolean isMissing =
        loader.missing().stream().anyMatch(library -> library.name().equals(SONAME));
    if (isMissing || loader.named(SONAME).isPresent()) {
      return load(process, about, Link.NEEDED, loader, loader.missing());
    }
    for (LoadedObject object : loader.loaded()) {
      Optional<NcclLibrary> inside = builtIn(object);
      if (inside.isPresent()) {
        return new NcclLoad(
            process,
            about,
            Link.BUILT_IN,
            inside,
            Optional.of(object),
            "NCCL is linked into " + FileTree.name(object.path()) + ": no libnccl.so is looked for",
            List.of(),
            List.of(),
            loader.missing());
      }
    }
    return opened(process, about, loader);
  }

  /**
   * NCCL built into an object. Only programs and PyTorch's libraries are searched: others may be
   * large and contain no NCCL.
   */
  private Optional<NcclLibrary> builtIn(LoadedObject object) {
    boolean isCandidate =
        object.loader().isEmpty() || FileTree.name(object.path()).startsWith("libtorch");
    return isCandidate ? read(object.hit().realPath(), "built in") : Optional.empty();
  }

  private NcclLoad opened(String process, String about, DynamicLoader loader) {
    List<MissingLibrary> before = loader.missing();
    loader.open(SONAME, Optional.empty());
    return load(process, about, Link.OPENED, loader, before);
  }

  private NcclLoad load(
      String process, String about, Link link, DynamicLoader loader, List<MissingLibrary> missing) {
    Optional<LoadedObject> object = loader.named(SONAME);
    return new NcclLoad(
        process,
        about,
        link,
        object.flatMap(found -> read(found.path(), found.hit().step().toString())),
        object,
        object.map(LoadFinder::why).orElseGet(() -> whyNot(loader)),
        object.stream()
            .flatMap(found -> found.passedOver().stream())
            .flatMap(hit -> candidate(hit).stream())
            .toList(),
        link == Link.OPENED
            ? List.of()
            : object.map(found -> missingSymbols(loader, found)).orElse(List.of()),
        missing);
  }

  private Optional<NcclLibrary> read(String path, String foundIn) {
    return new NcclLibraryReader(search.files()).read(path, foundIn);
  }

  private Optional<Candidate> candidate(LibraryHit hit) {
    return read(hit.path(), hit.step().toString()).map(library -> new Candidate(hit, library));
  }

  private static String why(LoadedObject object) {
    String needed =
        object.chain().size() > 1
            ? ", needed by "
                + String.join(" > ", object.chain().subList(0, object.chain().size() - 1))
            : "";
    return object.hit().step() + needed;
  }

  private static String whyNot(DynamicLoader loader) {
    return loader.missing().stream()
        .filter(library -> library.name().equals(SONAME))
        .findFirst()
        .map(
            library ->
                library.found().isEmpty()
                    ? "none of the loader's folders has " + SONAME
                    : library.found().get(0).path() + " cannot be loaded")
        .orElse("nothing needs it");
  }

  /** NCCL symbols that the loaded objects need and the library lacks. */
  private List<String> missingSymbols(DynamicLoader loader, LoadedObject library) {
    ElfReader elf = new ElfReader(search.files());
    TreeSet<String> wanted = new TreeSet<>();
    for (LoadedObject object : loader.loaded()) {
      if (object.elf().needed().contains(SONAME)) {
        wanted.addAll(elf.symbols(object.hit().realPath(), "nccl").undefined());
      }
    }
    Set<String> symbols = elf.symbols(library.hit().realPath(), "nccl").defined();
    // A library without section headers does not list its symbols.
    return symbols.isEmpty()
        ? List.of()
        : wanted.stream().filter(s -> !symbols.contains(s)).toList();
  }
}
