package dev.topo.hw.library;

import dev.topo.hw.library.DynamicLoader.MissingLibrary;
import dev.topo.hw.library.Plugin.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the plugins that NCCL would load ({@code nccl:src/plugin}). A missing tuner or profiler is
 * searched for in the file of the network plugin. NCCL drops a network plugin that finds no device
 * at run time, which cannot be detected here.
 *
 * @param nccl the file that contains NCCL: its RUNPATH applies
 * @param environment effective settings of NCCL
 * @param release NCCL release whose plugin functions are known
 */
public record PluginFinder(
    LibrarySearch search,
    Optional<LoadedObject> nccl,
    Map<String, String> environment,
    String release) {
  private static final String STATIC = "STATIC_PLUGIN";

  /**
   * Maximum number of network plugins: {@code NCCL_NET_MAX_PLUGINS}, minus the two that are built
   * in.
   */
  private static final int MAX_NET_PLUGINS = 14;

  public PluginFinder {
    environment = Map.copyOf(environment);
  }

  public List<Plugin> find() {
    List<Plugin> plugins = new ArrayList<>(nets());
    Optional<String> net =
        plugins.stream()
            .filter(plugin -> plugin.state() == State.LOADED)
            .flatMap(plugin -> plugin.path().stream())
            .findFirst();
    for (PluginKind kind : List.of(PluginKind.TUNER, PluginKind.PROFILER, PluginKind.ENV)) {
      Plugin plugin = single(kind);
      if (plugin.state() == State.NOT_FOUND && net.isPresent() && kind != PluginKind.ENV) {
        plugin = inNetPlugin(plugin, net.get());
      }
      plugins.add(plugin);
    }
    return List.copyOf(plugins);
  }

  private List<Plugin> nets() {
    PluginKind kind = PluginKind.NET;
    String value = environment.get(kind.setting());
    if (value == null) {
      return List.of(open(kind, kind.defaultName(), false));
    }
    List<String> names =
        Arrays.stream(value.split(",", -1)).filter(name -> !name.isEmpty()).toList();
    if (names.isEmpty() || value.equalsIgnoreCase("none")) {
      return List.of(off(kind, value));
    }
    return names.stream().limit(MAX_NET_PLUGINS).map(name -> open(kind, name, true)).toList();
  }

  private Plugin single(PluginKind kind) {
    String value = environment.getOrDefault(kind.setting(), "");
    if (value.equalsIgnoreCase("none")) {
      return off(kind, value);
    }
    return value.isEmpty() ? open(kind, kind.defaultName(), false) : open(kind, value, true);
  }

  private static Plugin off(PluginKind kind, String value) {
    return new Plugin(kind, value, true, State.OFF, Optional.empty(), kind.setting() + "=" + value);
  }

  private Plugin open(PluginKind kind, String name, boolean named) {
    if (STATIC.startsWith(name.toUpperCase(Locale.ROOT))) {
      return new Plugin(
          kind, name, named, State.STATIC, Optional.empty(), "looked for in the program itself");
    }
    for (String file : kind.fileNames(name)) {
      DynamicLoader loader = new DynamicLoader(search);
      Optional<LoadedObject> object = loader.open(file, nccl);
      if (object.isPresent()) {
        return opened(kind, name, named, object.get(), loader.missing());
      }
    }
    String files = "no " + String.join(", no ", kind.fileNames(name));
    return new Plugin(kind, name, named, State.NOT_FOUND, Optional.empty(), files);
  }

  private Plugin opened(
      PluginKind kind,
      String name,
      boolean named,
      LoadedObject object,
      List<MissingLibrary> missing) {
    Optional<String> symbol = symbol(kind, object.hit().realPath());
    // A process with NCCL has already loaded CUDA's libraries.
    Optional<MissingLibrary> missingLibrary =
        missing.stream().filter(library -> !library.name().startsWith("libcuda")).findFirst();
    String detail = object.hit().step().toString();
    if (missingLibrary.isPresent()) {
      detail = "needs " + missingLibrary.get().name() + ", which is not found";
    } else if (symbol.isPresent()) {
      detail += ", " + symbol.get();
    } else {
      detail +=
          ", has no function that NCCL %s knows (%s …)".formatted(release, kind.symbols().get(0));
    }
    State state = symbol.isPresent() && missingLibrary.isEmpty() ? State.LOADED : State.UNUSABLE;
    return new Plugin(kind, name, named, state, Optional.of(object.path()), detail);
  }

  private Plugin inNetPlugin(Plugin plugin, String net) {
    Optional<String> symbol = symbol(plugin.kind(), net);
    if (symbol.isEmpty()) {
      return plugin;
    }
    String detail = "in the network plugin, " + symbol.get();
    return new Plugin(
        plugin.kind(),
        plugin.asked(),
        plugin.named(),
        State.IN_NET_PLUGIN,
        Optional.of(net),
        detail);
  }

  private Optional<String> symbol(PluginKind kind, String path) {
    try {
      Set<String> symbols = new ElfReader(search.files()).symbols(path, "nccl").defined();
      return kind.symbols().stream().filter(symbols::contains).findFirst();
    } catch (ElfFormatException e) {
      return Optional.empty();
    }
  }
}
